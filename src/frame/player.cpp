#include "frame/player.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace thaw::frame {
namespace {

using scene::Property;
using scene::Target;

auto rank(const Target& target, Property property) {
  return std::tuple(target.kind, target.index, target.sub, property);
}

}  // namespace

double wrapped(double time, double period) {
  if (!(period > 0) || !std::isfinite(time)) {
    return 0;
  }
  const double rest = time - std::floor(time / period) * period;
  return rest >= period || rest < 0 ? 0 : rest;
}

Player::Player(const scene::Scene& scene, Index clip) : scene_(scene), nodes_(scene.nodes.size()) {
  if (clip < scene.clips.size()) {
    clip_ = &scene.clips[clip];
  }
  for (const auto& other : scene.clips) {
    if (other.global && &other != clip_) {
      play(other);
    }
  }
  if (clip_ != nullptr) {  // behind the loops: what both drive is the clip's
    play(*clip_);
  }
  sort();
}

void Player::play(const scene::Clip& clip) {
  for (const auto& channel : clip.channels) {
    if (channel.curve.empty() || channel.curve.components == 0) {
      continue;
    }
    const bool global = clip.global && &clip != clip_;
    const Timed timed{&channel.curve, double{clip.duration}, global};
    if (channel.target.kind != Target::Kind::node) {
      entries_.push_back(
          {channel.target, channel.property, timed, static_cast<std::uint32_t>(entries_.size())});
      continue;
    }
    if (channel.target.index >= nodes_.size()) {
      continue;
    }
    NodeCurves& curves = nodes_[channel.target.index];
    const unsigned components = channel.curve.components;
    if (channel.property == Property::translation && components == 3) {
      curves.translation = timed;
    } else if (channel.property == Property::rotation && components == 4) {
      curves.rotation = timed;
    } else if (channel.property == Property::scale && components == 3) {
      curves.scale = timed;
    } else if (channel.property == Property::visibility && components == 1) {
      curves.visibility = timed;
    }
  }
}

/// One entry per channel; of several the last counts, as it does for nodes.
void Player::sort() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    const auto left = rank(a.target, a.property);
    const auto right = rank(b.target, b.property);
    return left != right ? left < right : a.order > b.order;
  });
  const auto same = [](const Entry& a, const Entry& b) {
    return a.target == b.target && a.property == b.property;
  };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

Times Player::times(const PlayTime& moment, double age) const {
  const auto bounded = [&](double time) {
    return std::isfinite(time) ? std::clamp(time, -kFarthest, kFarthest) - age : 0;
  };
  Times result;
  result.clock = bounded(moment.clock);
  const double time = bounded(moment.time);
  const double duration = clip_ == nullptr ? 0 : double{clip_->duration};
  if (clip_ != nullptr && clip_->looping) {
    // The end is a moment of its own when it is asked for by its name.
    result.clip = time == duration ? duration : wrapped(time, duration);
  } else if (clip_ != nullptr) {
    result.clip = std::clamp(time, 0.0, std::max(duration, 0.0));
    result.running = time >= 0 && time <= duration;
  }
  return result;
}

scene::Transform Player::local(Index node, const Times& times) const {
  scene::Transform transform = scene_.nodes[node].rest;
  const NodeCurves& curves = nodes_[node];
  if (curves.translation.curve != nullptr) {
    scene::evaluate(*curves.translation.curve, static_cast<float>(curves.translation.at(times)),
                    transform.translation);
  }
  if (curves.rotation.curve != nullptr) {
    transform.rotation =
        scene::evaluate_rotation(*curves.rotation.curve, static_cast<float>(curves.rotation.at(times)));
  }
  if (curves.scale.curve != nullptr) {
    scene::evaluate(*curves.scale.curve, static_cast<float>(curves.scale.at(times)), transform.scale);
  }
  return transform;
}

bool Player::visible(Index node, const Times& times) const {
  if (node >= nodes_.size() || nodes_[node].visibility.curve == nullptr) {
    return true;
  }
  const Timed& timed = nodes_[node].visibility;
  return scene::evaluate_scalar(*timed.curve, static_cast<float>(timed.at(times))) > 0;
}

bool Player::moves(Index node) const {
  const NodeCurves& curves = nodes_[node];
  return curves.translation.curve != nullptr || curves.rotation.curve != nullptr ||
         curves.scale.curve != nullptr;
}

Player::Timed Player::find(const scene::Target& target, scene::Property property) const {
  const auto requested = rank(target, property);
  const auto at = std::lower_bound(
      entries_.begin(), entries_.end(), requested,
      [](const Entry& entry, const auto& key) { return rank(entry.target, entry.property) < key; });
  const bool found = at != entries_.end() && at->target == target && at->property == property;
  return found ? at->timed : Timed{};
}

void Player::read(const scene::Target& target, scene::Property property, const Times& times,
                  std::span<float> out) const {
  const Timed timed = find(target, property);
  if (timed.curve != nullptr && timed.curve->components == out.size()) {
    scene::evaluate(*timed.curve, static_cast<float>(timed.at(times)), out);
  }
}

float Player::scalar(const scene::Target& target, scene::Property property, float rest,
                     const Times& times) const {
  read(target, property, times, {&rest, 1});
  return rest;
}

}  // namespace thaw::frame
