// Clips as animations.
#include <thaw/control.hpp>

#include "gltf/animation_builder.hpp"
#include "gltf/baked_node.hpp"
#include "gltf/extras_description.hpp"
#include "scene/pose.hpp"
#include "scene/unique_names.hpp"

#include <algorithm>
#include <cmath>
#include <list>

namespace thaw::gltf {
namespace {

using scene::CurveMode;

/// 1e-5 of the scene's size: a tenth of what is required of vertices.
float length_tolerance(const Asset& document) {
  float size = 0;
  for (const auto& accessor : document.accessors) {
    for (std::size_t i = 0; i < accessor.minimum.size() && accessor.type == "VEC3"; ++i) {
      size = std::max(size, accessor.maximum[i] - accessor.minimum[i]);
    }
  }
  return std::max(size, 1e-3F) * 1e-5F;
}

/// What all clips of a scene have in common.
struct Animated {
  explicit Animated(Export& out)
      : rest(out.scene, nullptr),
        places(rest.places(0)),
        events(out),
        tolerance(length_tolerance(out.document)) {
    depths.resize(out.scene.nodes.size(), 1);
    for (Index node = 0; node < out.scene.nodes.size(); ++node) {
      if (const Index parent = out.scene.nodes[node].parent; parent < node) {
        depths[node] = depths[parent] + 1;
      }
      if (!inherits_all(out.scene.nodes[node]) && out.scene.nodes[node].parent < node) {
        flagged.push_back(node);
      }
      if (out.switches[node] != kNone) {
        switched.push_back(node);
      }
    }
    for (Index mesh = 0; mesh < out.meshes.size(); ++mesh) {
      const PlacedMesh& placed = out.meshes[mesh];
      if (placed.mesh != kNone && (placed.visibility->animated() || placed.morph_targets > 0)) {
        meshes.push_back(mesh);
      }
    }
  }

  scene::Poser rest;
  std::vector<scene::WorldTransform> places;  ///< at rest
  EventTimes events;
  float tolerance;
  std::vector<std::size_t> depths;  ///< nodes from the top to each
  std::vector<Index> flagged;       ///< nodes that do not inherit everything
  std::vector<Index> switched;      ///< nodes with visibility of their own
  std::vector<Index> meshes;        ///< with visibility or morph targets
};

class ClipWriter {
 public:
  ClipWriter(Export& out, std::size_t clip, Animated& animated)
      : out_(out), clip_(out.channels.clips()[clip]), index_(clip), animated_(animated), animation_(out) {}

  /// Finds out what moves.
  void prepare();
  /// Adds the animation to the document.
  void write(scene::UniqueNames& names);

  [[nodiscard]] bool is_loop() const { return clip_.global; }
  void note_moved(AnimationBuilder::Moved& moved) const { animation_.note_moved(moved); }
  void leave(const AnimationBuilder::Moved& to_others) { animation_.leave(to_others); }

 private:
  void add_flagged_nodes();
  void settle_turns(Curve& rotation) const;
  [[nodiscard]] Curve rounded(const Curve& curve, Property property) const;
  void add_baked(const scene::Poser& poser, Index node);
  void add_nodes();
  void add_meshes();
  void add_switches();
  void add_weights(Index mesh);
  void add_switch(Index node, const Curve& states, const Vec3& scale);
  [[nodiscard]] Curve weights(Index mesh) const;
  [[nodiscard]] Value shown() const;
  [[nodiscard]] Value baked() const;
  void add_fingerprints(Value& extras);
  [[nodiscard]] bool can_bake(const scene::Poser& poser, Index node);
  [[nodiscard]] bool needs_baking(const scene::Poser& poser, Index node) const;

  Export& out_;
  const Clip& clip_;
  std::size_t index_;
  Animated& animated_;
  AnimationBuilder animation_;
  std::vector<Index> baked_;  ///< nodes in rising order
};

/// Flags only matter below an ancestor that is turned or scaled, or one that moves.
bool ClipWriter::needs_baking(const scene::Poser& poser, Index node) const {
  if (!poser.moves(node)) {
    return false;
  }
  const Index parent = out_.scene.nodes[node].parent;
  const auto& place = animated_.places[parent];
  return poser.moves(parent) || !(place.scale == scene::Vec3d{1, 1, 1}) ||
         !(place.rotation == scene::Vec4d{0, 0, 0, 1});
}

void ClipWriter::add_baked(const scene::Poser& poser, Index node) {
  BakedNode baked = bake(out_.budget, poser, node, out_.scene.nodes[node].parent, animated_.depths[node],
                         animated_.tolerance);
  settle_turns(baked.rotation);
  const Node& rest = out_.document.nodes[node];
  animation_.add_node(node, "translation", std::move(baked.translation), rest.translation);
  animation_.add_node(node, "rotation", std::move(baked.rotation), rest.rotation);
  animation_.add_node(node, "scale", std::move(baked.scale), rest.scale);
  baked_.push_back(node);
}

/// Blender drops tangents: what is smooth becomes straight pieces for it, between whole milliseconds.
Curve ClipWriter::rounded(const Curve& curve, Property property) const {
  if (!out_.for_blender() || curve.mode != CurveMode::cubic || curve.times.size() < 2) {
    return curve;
  }
  const auto evaluate = [&](float time, std::span<float> out) {
    if (property == Property::rotation) {
      const Vec4 value = scene::evaluate_rotation(curve, time);
      std::copy(value.begin(), value.end(), out.begin());
    } else {
      scene::evaluate(curve, time, out);
    }
  };
  constexpr float kUnitTolerance = 1e-5F;  // of quaternions and sizes
  const Curve* const curves[] = {&curve};
  const Curve pieces =
      scene::combined(curves, curve.components,
                      property == Property::translation ? animated_.tolerance : kUnitTolerance, evaluate);
  Curve result = pieces;
  result.times.clear();
  result.values.clear();
  for (const float exact : pieces.times) {
    const bool is_key = std::binary_search(curve.times.begin(), curve.times.end(), exact);
    const float time = is_key ? exact : whole_millisecond(exact);
    const auto next = std::upper_bound(curve.times.begin(), curve.times.end(), exact);
    const bool fits = (result.times.empty() || time > result.times.back()) &&
                      (is_key || next == curve.times.end() || time < *next);
    if (fits) {
      result.times.push_back(time);
      result.values.resize(result.values.size() + curve.components);
      evaluate(time, std::span(result.values).last(curve.components));
    }
  }
  return result;
}

void ClipWriter::settle_turns(Curve& rotation) const {
  keep_side(rotation);
  if (out_.for_blender()) {
    divide_half_turns(rotation);
  }
}

void ClipWriter::add_flagged_nodes() {
  if (animated_.flagged.empty() || !out_.budget.spend(out_.scene.nodes.size())) {
    return;
  }
  const scene::Poser poser(animated_.rest, clip_);
  for (const Index node : animated_.flagged) {
    if (needs_baking(poser, node) && can_bake(poser, node)) {
      add_baked(poser, node);
    }
  }
}

/// Takes what the keys alone will cost from the budget.
bool ClipWriter::can_bake(const scene::Poser& poser, Index node) {
  const std::size_t depth = animated_.depths[node];
  if (!out_.budget.spend(depth)) {
    return false;
  }
  std::size_t keys = 1;
  for (const Curve* curve : poser.curves(node)) {
    keys += curve->times.size();
  }
  return out_.budget.spend(2 * keys * depth);
}

void ClipWriter::add_nodes() {
  for (const auto& channel : clip_.channels) {
    const Index node = channel.target.index;
    if (channel.target.kind != Target::Kind::node || std::binary_search(baked_.begin(), baked_.end(), node)) {
      continue;
    }
    const Node& rest = out_.document.nodes[node];
    if (channel.property == Property::translation) {
      animation_.add_node(node, "translation", rounded(channel.curve, channel.property), rest.translation);
    } else if (channel.property == Property::rotation) {
      Curve rotation = rounded(channel.curve, channel.property);
      settle_turns(rotation);
      animation_.add_node(node, "rotation", std::move(rotation), rest.rotation);
    } else if (channel.property == Property::scale) {
      animation_.add_node(node, "scale", rounded(channel.curve, channel.property), rest.scale);
    }
  }
}

/// Shows and hides by the scale of a node.
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

/// The morph targets of the scene, and after them the one that hides.
Curve ClipWriter::weights(Index mesh) const {
  const PlacedMesh& placed = out_.meshes[mesh];
  const Curve* morphs = out_.channels.find(index_, {Target::Kind::mesh, mesh, 0}, Property::weights);
  const bool hides = placed.has_hiding_target() && !out_.for_blender();
  const Curve* states = hides ? placed.visibility->curve(index_) : nullptr;
  std::vector<const Curve*> curves;
  for (const Curve* curve : {morphs, states}) {
    if (curve != nullptr) {
      curves.push_back(curve);
    }
  }
  if (curves.empty() || !hides) {
    return curves.empty() ? Curve{} : *morphs;
  }
  constexpr float kTolerance = 1e-3F;
  const float at_rest = placed.visibility->initially() ? 0.0F : 1.0F;
  return scene::combined(curves, placed.morph_targets + 1, kTolerance, [&](float time, std::span<float> out) {
    if (morphs != nullptr) {
      scene::evaluate(*morphs, time, out.first(placed.morph_targets));
    }
    out.back() = states != nullptr ? 1 - scene::evaluate_scalar(*states, time) : at_rest;
  });
}

void ClipWriter::add_weights(Index mesh) {
  Curve curve = weights(mesh);
  if (!curve.empty()) {
    animation_.add_node(out_.meshes[mesh].node, "weights", std::move(curve));
  }
}

void ClipWriter::add_meshes() {
  for (const Index mesh : animated_.meshes) {
    const PlacedMesh& placed = out_.meshes[mesh];
    add_weights(mesh);
    const Curve* states = placed.visibility->curve(index_);
    if (states == nullptr || out_.for_blender()) {
      continue;  // for Blender, that is one action more of each mesh in each clip
    }
    if (!placed.skinned) {
      add_switch(placed.node, *states, placed.scale);
    }
    if (out_.rich()) {
      animation_.add_visibility(placed.node, *states);
    }
  }
}

void ClipWriter::add_switches() {
  for (const Index node : animated_.switched) {
    if (const Curve* states = out_.node_visibility[node]->curve(index_)) {
      add_switch(out_.switches[node], *states, {1, 1, 1});
      if (out_.rich()) {
        animation_.add_visibility(out_.switches[node], *states);
      }
    }
  }
}

void ClipWriter::prepare() {
  add_flagged_nodes();
  add_nodes();
  add_meshes();
  add_switches();
  if (out_.rich()) {
    add_pointers(out_, index_, animation_);
  }
}

/// When this clip shows and hides what, as it is written: who reads the file knows by it what was edited.
Value ClipWriter::shown() const {
  Value list;
  const auto add = [&](std::string_view kind, Index index, const Curve* states) {
    if (states != nullptr) {
      Value entry;
      entry.set(kind, index);
      entry.set("times", extras_value(states->times));
      entry.set("states", extras_value(states->values));
      list.push(std::move(entry));
    }
  };
  for (const Index mesh : animated_.meshes) {
    add("mesh", mesh, out_.meshes[mesh].visibility->curve(index_));
  }
  for (const Index node : animated_.switched) {
    add("node", node, out_.node_visibility[node]->curve(index_));
  }
  return list;
}

/// How nodes move that do not inherit everything: they have other keys in the file than in the scene, which
/// count as long as those of the file are left alone.
Value ClipWriter::baked() const {
  Value list;
  for (const Index node : animated_.flagged) {
    Value entry;
    entry.set("node", node);
    for (const auto& [path, property] : kMoves) {
      if (const Curve* curve = animation_.curve_of(node, path)) {
        entry.set(path, fingerprint(*curve));
      }
    }
    list.push(std::move(entry));
  }
  return list;
}

/// What the way through other programs needs.
void ClipWriter::add_fingerprints(Value& extras) {
  const auto add = [&](const char* name, Value&& value) {
    if (!value.is_null()) {
      extras.set(name, std::move(value));
    }
  };
  if (out_.for_blender()) {
    add("shown", shown());
    extras.set("moves", animation_.moves());
  }
  add("baked", baked());
}

void ClipWriter::write(scene::UniqueNames& names) {
  animation_.anchor(clip_.duration);
  Value extras = clip_extras(out_, index_, animated_.events.in_clip(index_));
  add_fingerprints(extras);
  animation_.set_extras(std::move(extras));
  animation_.finish(names.add(clip_.name, "animation"));
}

}  // namespace

void add_animations(Export& out) {
  scene::UniqueNames names;
  Animated animated(out);
  std::list<ClipWriter> writers;
  AnimationBuilder::Moved moved;
  for (std::size_t clip = 0; clip < out.channels.clips().size(); ++clip) {
    if (is_stopped(out.options.control)) {
      return;
    }
    ClipWriter& writer = writers.emplace_back(out, clip, animated);
    writer.prepare();
    if (!writer.is_loop()) {
      writer.note_moved(moved);
    }
  }
  std::size_t written = 0;
  for (ClipWriter& writer : writers) {
    if (!proceed(out.options.control, "clips", written++, writers.size())) {
      return;
    }
    // Viewers play loops alongside a clip: of two animations that move the same, the later would hide the
    // clip's.
    if (writer.is_loop()) {
      writer.leave(moved);
    }
    writer.write(names);
  }
}

}  // namespace thaw::gltf
