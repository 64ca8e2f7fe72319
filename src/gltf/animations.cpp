// Clips as animations.
#include "gltf/animation_builder.hpp"
#include "scene/pose.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

using scene::CurveMode;

bool inherits_all(const scene::Node& node) {
  return node.inherit_translation && node.inherit_rotation && node.inherit_scale;
}

/// Neighbouring quaternions on the same side, for readers that interpolate numbers.
void keep_side(Curve& curve) {
  if (curve.mode == CurveMode::cubic) {
    return;
  }
  for (std::size_t i = 4; i + 4 <= curve.values.size(); i += 4) {
    float dot = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      dot += curve.values[i + c] * curve.values[i - 4 + c];
    }
    for (std::size_t c = 0; c < 4 && dot < 0; ++c) {
      curve.values[i + c] = -curve.values[i + c];
    }
  }
}

/// Transforms of a node with inherit flags, sampled.
struct BakedNode {
  Curve translation;
  Curve rotation;
  Curve scale;
};

bool close(const scene::Transform& from, const scene::Transform& to, float part,
           const scene::Transform& exact, float length_tolerance) {
  constexpr double kAngleTolerance = 1e-3;
  constexpr float kScaleTolerance = 1e-3F;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = [&](const Vec3& a, const Vec3& b) { return a[i] + (b[i] - a[i]) * part; };
    if (!(std::fabs(at(from.translation, to.translation) - exact.translation[i]) <= length_tolerance) ||
        !(std::fabs(at(from.scale, to.scale) - exact.scale[i]) <= kScaleTolerance)) {
      return false;
    }
  }
  const auto rotation = scene::slerp(scene::widen(from.rotation), scene::widen(to.rotation), double{part});
  return scene::rotation_angle(rotation, scene::widen(exact.rotation)) <= kAngleTolerance;
}

BakedNode bake(const scene::Poser& poser, Index node, Index parent, float length_tolerance) {
  const auto curves = poser.curves(node);
  const bool stepped = std::all_of(curves.begin(), curves.end(),
                                   [](const Curve* curve) { return curve->mode == CurveMode::step; });
  const auto evaluate = [&](float time) {
    return scene::decompose(
        scene::multiply(scene::inverse(poser.place(parent, time).world), poser.place(node, time).world));
  };
  const auto fits = [&](const scene::Transform& from, const scene::Transform& to, float part,
                        const scene::Transform& exact) {
    return stepped || close(from, to, part, exact, length_tolerance);
  };
  auto times = scene::merged_times(curves);
  BakedNode baked;
  baked.rotation.components = 4;
  baked.translation.components = baked.scale.components = 3;
  for (Curve* curve : {&baked.translation, &baked.rotation, &baked.scale}) {
    curve->mode = stepped ? CurveMode::step : CurveMode::linear;
  }
  for (const auto& sample : scene::sample_adaptively<scene::Transform>(times, evaluate, fits)) {
    const auto add = [&](Curve& curve, const auto& values) {
      curve.times.push_back(sample.time);
      curve.values.insert(curve.values.end(), values.begin(), values.end());
    };
    add(baked.translation, sample.value.translation);
    add(baked.rotation, sample.value.rotation);
    add(baked.scale, sample.value.scale);
  }
  for (Curve* curve : {&baked.translation, &baked.rotation, &baked.scale}) {
    scene::drop_redundant_keys(*curve);
  }
  return baked;
}

/// 1e-5 of the scene's size: a tenth of what is asked of vertices.
float length_tolerance(const Document& document) {
  float size = 0;
  for (const auto& accessor : document.accessors) {
    for (std::size_t i = 0; i < accessor.minimum.size() && accessor.type == "VEC3"; ++i) {
      size = std::max(size, accessor.maximum[i] - accessor.minimum[i]);
    }
  }
  return std::max(size, 1e-3F) * 1e-5F;
}

class ClipWriter {
 public:
  ClipWriter(Export& out, std::size_t clip, float tolerance)
      : out_(out), clip_(out.channels.clips()[clip]), index_(clip), tolerance_(tolerance), animation_(out) {}

  void write(UniqueNames& names);

 private:
  void add_nodes();
  void add_baked(const scene::Poser& poser, Index node);
  void add_meshes();
  void add_weights(Index mesh);
  void add_switch(Index node, const Curve& states, const Vec3& scale);
  [[nodiscard]] Curve weights(Index mesh) const;
  [[nodiscard]] bool needs_baking(const scene::Poser& poser, Index node) const;
  void add_extras();

  Export& out_;
  const Clip& clip_;
  std::size_t index_;
  float tolerance_;
  AnimationBuilder animation_;
};

/// Flags only matter below an ancestor that is turned or scaled, or one that moves.
bool ClipWriter::needs_baking(const scene::Poser& poser, Index node) const {
  const scene::Node& source = out_.scene.nodes[node];
  if (inherits_all(source) || source.parent >= node || !poser.moves(node)) {
    return false;
  }
  const auto parent = poser.place(source.parent, 0);
  return poser.moves(source.parent) || !(parent.scale == scene::Vec3d{1, 1, 1}) ||
         !(parent.rotation == scene::Vec4d{0, 0, 0, 1});
}

void ClipWriter::add_baked(const scene::Poser& poser, Index node) {
  BakedNode baked = bake(poser, node, out_.scene.nodes[node].parent, tolerance_);
  keep_side(baked.rotation);
  const Node& rest = out_.document.nodes[node];
  animation_.add_node(node, "translation", std::move(baked.translation), rest.translation);
  animation_.add_node(node, "rotation", std::move(baked.rotation), rest.rotation);
  animation_.add_node(node, "scale", std::move(baked.scale), rest.scale);
}

void ClipWriter::add_nodes() {
  const bool flags = std::any_of(out_.scene.nodes.begin(), out_.scene.nodes.end(),
                                 [](const scene::Node& node) { return !inherits_all(node); });
  std::vector<bool> baked(out_.scene.nodes.size());
  if (flags) {
    const scene::Poser poser(out_.scene, &clip_);
    for (Index node = 0; node < baked.size(); ++node) {
      if (needs_baking(poser, node)) {
        baked[node] = true;
        add_baked(poser, node);
      }
    }
  }
  for (const auto& channel : clip_.channels) {
    if (channel.target.kind != Target::Kind::node || baked[channel.target.index]) {
      continue;
    }
    const Index node = channel.target.index;
    const Node& rest = out_.document.nodes[node];
    if (channel.property == Property::translation) {
      animation_.add_node(node, "translation", channel.curve, rest.translation);
    } else if (channel.property == Property::rotation) {
      Curve rotation = channel.curve;
      keep_side(rotation);
      animation_.add_node(node, "rotation", std::move(rotation), rest.rotation);
    } else if (channel.property == Property::scale) {
      animation_.add_node(node, "scale", channel.curve, rest.scale);
    }
  }
}

/// Shows and hides by the scale of a node, and where the profile allows by its visibility too.
void ClipWriter::add_switch(Index node, const Curve& states, const Vec3& scale) {
  Curve scales;
  scales.mode = CurveMode::step;
  scales.components = 3;
  scales.times = states.times;
  for (const float state : states.values) {
    for (const float part : scale) {
      scales.values.push_back(part * state);
    }
  }
  animation_.add_node(node, "scale", std::move(scales));
}

/// The morph targets of the scene, and behind them the one that hides.
Curve ClipWriter::weights(Index mesh) const {
  const PlacedMesh& placed = out_.meshes[mesh];
  const Curve* morphs = out_.channels.find(index_, {Target::Kind::mesh, mesh, 0}, Property::weights);
  const auto& states = placed.visibility->curve(index_);
  const bool hides = placed.has_hiding_target();
  std::vector<const Curve*> curves;
  if (morphs != nullptr) {
    curves.push_back(morphs);
  }
  if (hides && states) {
    curves.push_back(&*states);
  }
  if (curves.empty() || (curves.size() == 1 && morphs != nullptr && !hides)) {
    return curves.empty() ? Curve{} : *morphs;
  }
  constexpr float kTolerance = 1e-3F;
  const float at_rest = placed.visibility->initially() ? 0.0F : 1.0F;
  return scene::combined(curves, placed.morph_targets + 1, kTolerance, [&](float time, std::span<float> out) {
    if (morphs != nullptr) {
      scene::evaluate(*morphs, time, out.first(placed.morph_targets));
    }
    out.back() = states ? 1 - scene::evaluate_scalar(*states, time) : at_rest;
  });
}

void ClipWriter::add_weights(Index mesh) {
  Curve curve = weights(mesh);
  if (!curve.empty()) {
    animation_.add_node(out_.meshes[mesh].node, "weights", std::move(curve));
  }
}

void ClipWriter::add_meshes() {
  for (Index mesh = 0; mesh < out_.meshes.size(); ++mesh) {
    const PlacedMesh& placed = out_.meshes[mesh];
    if (placed.mesh == kNone) {
      continue;
    }
    add_weights(mesh);
    const auto& states = placed.visibility->curve(index_);
    if (!states) {
      continue;
    }
    if (!placed.skinned) {
      add_switch(placed.node, *states, placed.scale);
    }
    if (out_.rich()) {
      animation_.add_visibility(placed.node, *states);
    }
  }
  for (Index node = 0; node < out_.switches.size(); ++node) {
    if (out_.switches[node] == kNone || !out_.node_visibility[node]->curve(index_)) {
      continue;
    }
    const Curve& states = *out_.node_visibility[node]->curve(index_);
    add_switch(out_.switches[node], states, {1, 1, 1});
    if (out_.rich()) {
      animation_.add_visibility(out_.switches[node], states);
    }
  }
}

void ClipWriter::add_extras() {
  Value extras;
  extras.set("clip", static_cast<std::int64_t>(index_));
  extras.set("duration", clip_.duration);
  extras.set("looping", clip_.looping);
  if (clip_.global) {
    extras.set("global", true);
  }
  Value channels;
  for (const auto& channel : clip_.channels) {
    if (needs_extras(out_, channel)) {
      channels.push(channel_extras(channel));
    }
  }
  if (!channels.is_null()) {
    extras.set("channels", std::move(channels));
  }
  if (Value events = event_extras(out_, index_); !events.is_null()) {
    extras.set("events", std::move(events));
  }
  if (!clip_.extras.empty()) {
    extras.set(out_.scene.source_format.empty() ? "source" : out_.scene.source_format, clip_.extras);
  }
  animation_.set_extras(std::move(extras));
}

void ClipWriter::write(UniqueNames& names) {
  add_nodes();
  add_meshes();
  if (out_.rich()) {
    add_pointers(out_, index_, animation_);
  }
  add_extras();
  animation_.finish(names.add(clip_.name, "animation"), clip_.duration);
}

}  // namespace

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
    still.mode = scene::CurveMode::step;
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
  if (curve.mode == scene::CurveMode::cubic && curve.times.size() == 1) {
    // The format asks for two keys; one has no way to go.
    const std::size_t width = curve.components;
    curve.values.erase(curve.values.begin() + static_cast<std::ptrdiff_t>(2 * width), curve.values.end());
    curve.values.erase(curve.values.begin(), curve.values.begin() + static_cast<std::ptrdiff_t>(width));
    curve.mode = scene::CurveMode::step;
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
    // Weights are single numbers, however many there are.
    sampler.output = out_.buffer.add_values(curve.values, channel.path == "weights" ? 1 : curve.components);
  }
  sampler.interpolation = curve.mode == scene::CurveMode::step     ? "STEP"
                          : curve.mode == scene::CurveMode::linear ? "LINEAR"
                                                                   : "CUBICSPLINE";
  const auto [entry, fresh] =
      samplers_.emplace(std::tuple{sampler.input, sampler.output, sampler.interpolation},
                        static_cast<Index>(animation_.samplers.size()));
  if (fresh) {
    animation_.samplers.push_back(sampler);
  }
  return entry->second;
}

void AnimationBuilder::finish(std::string name, float duration) {
  anchor(duration);
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

void add_animations(Export& out) {
  UniqueNames names;
  const float tolerance = length_tolerance(out.document);
  for (std::size_t clip = 0; clip < out.channels.clips().size(); ++clip) {
    ClipWriter(out, clip, tolerance).write(names);
  }
}

}  // namespace thaw::gltf
