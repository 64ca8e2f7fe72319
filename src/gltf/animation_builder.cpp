#include "gltf/animation_builder.hpp"

#include "gltf/clip_matching.hpp"

#include <algorithm>

namespace thaw::gltf {

using scene::CurveMode;

AnimationBuilder::AnimationBuilder(Export& out) : out_(out) {}

void AnimationBuilder::add_node(Index node, std::string_view path, Curve curve) {
  channels_.push_back({node, path, {}, std::move(curve), false});
}

void AnimationBuilder::add_node(Index node, std::string_view path, Curve curve, std::span<const float> rest) {
  if (!scene::is_constant(curve, rest)) {
    add_node(node, path, std::move(curve));
  }
}

void AnimationBuilder::add_pointer(std::string pointer, Curve curve) {
  if (!curve.empty()) {
    channels_.push_back({kNone, {}, std::move(pointer), std::move(curve), false});
  }
}

void AnimationBuilder::add_visibility(Index node, const Curve& states) {
  channels_.push_back({kNone,
                       {},
                       "/nodes/" + std::to_string(node) + "/extensions/KHR_node_visibility/visible",
                       states,
                       true});
}

const Curve* AnimationBuilder::curve_of(Index node, std::string_view path) const {
  const auto found = std::find_if(channels_.begin(), channels_.end(), [&](const Channel& channel) {
    return channel.node == node && channel.path == path;
  });
  return found == channels_.end() ? nullptr : &found->curve;
}

double AnimationBuilder::moves() const {
  double sum = 0;
  for (const auto& channel : channels_) {
    if (channel.pointer.empty() && channel.path != "weights") {
      sum += fingerprint(channel.curve);
    }
  }
  return sum;
}

namespace {

/// Holds the last value until `time`.
void extend(Curve& curve, float time) {
  const std::size_t parts = curve.mode == CurveMode::cubic ? 3 : 1;
  const std::size_t width = curve.components;
  const std::size_t last = curve.values.size() - width * parts;
  Array<float> key;
  key.resize(width * parts, 0);
  const std::size_t value = parts == 3 ? width : 0;
  for (std::size_t i = 0; i < width; ++i) {
    key[value + i] = curve.values[last + value + i];
    if (parts == 3) {
      curve.values[last + 2 * width + i] = 0;
    }
  }
  curve.times.push_back(time);
  curve.values.insert(curve.values.end(), key.begin(), key.end());
}

}  // namespace

/// Viewers take the latest key for the end of an animation: there must be one, where the clip ends.
void AnimationBuilder::anchor(float duration) {
  Channel* latest = nullptr;
  for (auto& channel : channels_) {
    // Pointers do not count: most viewers do not see them.
    const bool later = latest == nullptr || channel.curve.times.back() > latest->curve.times.back();
    if (channel.pointer.empty() && later) {
      latest = &channel;
    }
  }
  if (latest == nullptr) {
    const Vec3& rest = out_.document.nodes[out_.root].translation;
    Curve still;
    still.mode = CurveMode::step;
    still.components = 3;
    still.times = {0};
    still.values.assign(rest.begin(), rest.end());
    add_node(out_.root, "translation", std::move(still));
    latest = &channels_.back();
  }
  if (latest->curve.times.back() < duration) {
    extend(latest->curve, duration);
  }
}

Index AnimationBuilder::add_sampler(const Channel& channel) {
  Curve curve = channel.curve;
  if (curve.mode == CurveMode::cubic && curve.times.size() == 1) {
    // The format requires two keys; one has no way to go.
    const std::size_t width = curve.components;
    curve.values.erase(curve.values.begin() + static_cast<std::ptrdiff_t>(2 * width), curve.values.end());
    curve.values.erase(curve.values.begin(), curve.values.begin() + static_cast<std::ptrdiff_t>(width));
    curve.mode = CurveMode::step;
  }
  AnimationSampler sampler;
  sampler.input = out_.buffer.add_times(curve.times);
  if (channel.flags) {
    Bytes flags;
    for (const float state : curve.values) {
      flags.push_back(state > 0 ? 1 : 0);
    }
    sampler.output = out_.buffer.add_flags(flags);
  } else {
    const bool cubic = curve.mode == CurveMode::cubic;
    // Weights are single numbers, however many there are.
    sampler.output =
        channel.path == "rotation" && !cubic
            ? out_.buffer.add_rotations(curve.values)
            : out_.buffer.add_values(curve.values, channel.path == "weights" ? 1 : curve.components,
                                     cubic && channel.path != "weights");
  }
  sampler.interpolation = curve.mode == CurveMode::step     ? "STEP"
                          : curve.mode == CurveMode::linear ? "LINEAR"
                                                            : "CUBICSPLINE";
  const auto [entry, fresh] =
      samplers_.emplace(std::tuple{sampler.input, sampler.output, sampler.interpolation},
                        static_cast<Index>(animation_.samplers.size()));
  if (fresh) {
    animation_.samplers.push_back(sampler);
  }
  return entry->second;
}

namespace {

/// Of a channel that names its target by a pointer, that is its property.
template <class Channel>
std::pair<Index, std::string> moved_by(const Channel& channel) {
  return {channel.node, channel.pointer.empty() ? std::string(channel.path) : channel.pointer};
}

}  // namespace

void AnimationBuilder::note_moved(Moved& moved) const {
  for (const auto& channel : channels_) {
    moved.insert(moved_by(channel));
  }
}

void AnimationBuilder::leave(const Moved& to_others) {
  channels_.erase(
      std::remove_if(channels_.begin(), channels_.end(),
                     [&](const Channel& channel) { return to_others.contains(moved_by(channel)); }),
      channels_.end());
}

void AnimationBuilder::finish(std::string name) {
  animation_.name = std::move(name);
  for (const auto& channel : channels_) {
    AnimationChannel result;
    result.sampler = add_sampler(channel);
    result.node = channel.node;
    result.path = channel.path;
    result.pointer = channel.pointer;
    animation_.channels.push_back(std::move(result));
  }
  out_.document.animations.push_back(std::move(animation_));
}

}  // namespace thaw::gltf
