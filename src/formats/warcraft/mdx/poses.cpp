#include "formats/warcraft/mdx/poses.hpp"

#include "formats/warcraft/mdx/scene/builder.hpp"
#include "scene/pose.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// 128 bytes each.
constexpr std::size_t kMaxMatrices = 200000;

struct SceneTime {
  const scene::Clip* clip = nullptr;
  double share = 0;  ///< of the clip's duration
  double clock = 0;  ///< of the global sequences, s
};

std::vector<SceneTime> spread(const scene::Scene& scene, std::size_t count) {
  std::vector<const scene::Clip*> clips;
  for (const auto& clip : scene.clips) {
    if (!clip.global) {
      clips.push_back(&clip);
    }
  }
  if (clips.empty()) {
    return {SceneTime{}};
  }
  std::vector<SceneTime> moments;
  const std::size_t rounds = std::max<std::size_t>(1, count / clips.size());
  for (std::size_t i = 0; i < std::min(count, rounds * clips.size()); ++i) {
    const std::size_t clip = clips.size() <= count ? i / rounds : i * clips.size() / count;
    const auto within = static_cast<double>(i % rounds);
    // Off the round shares, where loops of one length would always be met in one pose.
    moments.push_back({clips[clip], (within + 0.37) / static_cast<double>(rounds), 0.731 * double(i)});
  }
  return moments;
}

void freeze(const scene::Clip& clip, double time, scene::Clip& into) {
  for (const auto& channel : clip.channels) {
    if (channel.target.kind != scene::Target::Kind::node || channel.property > scene::Property::scale) {
      continue;
    }
    scene::Channel still;
    still.target = channel.target;
    still.property = channel.property;
    still.curve.components = channel.curve.components;
    still.curve.times = {0};
    still.curve.values.resize(channel.curve.components);
    const auto at = static_cast<float>(time);
    if (channel.property == scene::Property::rotation) {
      const Vec4 value = scene::evaluate_rotation(channel.curve, at);
      still.curve.values.assign(value.begin(), value.end());
    } else {
      scene::evaluate(channel.curve, at, still.curve.values);
    }
    into.channels.push_back(std::move(still));
  }
}

scene::Clip frozen(const scene::Scene& scene, const SceneTime& moment) {
  scene::Clip result;
  if (moment.clip != nullptr) {
    freeze(*moment.clip, moment.share * double{moment.clip->duration}, result);
  }
  for (const auto& clip : scene.clips) {
    if (clip.global) {
      const auto length = double{clip.duration};
      freeze(clip, length > 0 ? std::fmod(moment.clock, length) : 0, result);
    }
  }
  return result;
}

}  // namespace

Poses::Poses(const Document& document, std::size_t moments) {
  Diagnostics discarded(0);
  SceneOptions options;
  options.scale = 1;
  SceneBuilder builder(document, options, discarded);
  build_nodes(builder);
  build_clips(builder);
  nodes_ = builder.scene.nodes.size();
  node_of_id_ = std::move(builder.node_of_id);
  const std::size_t requested = std::clamp<std::size_t>(moments, 1, 1024);
  const auto chosen =
      spread(builder.scene, std::max<std::size_t>(1, std::min(requested, kMaxMatrices / nodes_)));
  moments_ = chosen.size();
  matrices_.reserve(moments_ * nodes_);
  for (const auto& moment : chosen) {
    const auto clip = frozen(builder.scene, moment);
    const auto world = scene::Poser(builder.scene, &clip).world_matrices(0);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const auto back = scene::scaled(scene::widen(builder.pivots[i]), -1);
      matrices_.push_back(scene::multiply(world[i], scene::compose(back, {0, 0, 0, 1}, {1, 1, 1})));
    }
  }
}

std::ptrdiff_t Poses::node(std::int64_t object_id) const {
  if (object_id < 0 || object_id > std::numeric_limits<std::int32_t>::max()) {
    return -1;
  }
  const auto found = node_of_id_.find(static_cast<std::int32_t>(object_id));
  return found == node_of_id_.end() ? -1 : static_cast<std::ptrdiff_t>(found->second);
}

}  // namespace thaw::mdx
