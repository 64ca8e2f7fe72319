// A model turned, scaled and moved. Where the model goes from x to Ax, a node's matrix M becomes A M A⁻¹, so
// that its vertices, now at Ax, are where the transform takes them. Whatever is laid out in the frame of a
// node itself and has no vertices to be changed (particles, attached models, what a billboard shows)
// must not take A back: there the matrix becomes A M S⁻¹, where S only scales about the node's pivot, and
// that is what the node's children and vertices see.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include "bytes/escape.hpp"
#include "scene/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

namespace thaw::mdx {
namespace {

using scene::Similarity;
using scene::Vec3d;
using scene::Vec4d;

/// Scales about a point that `outer` moves.
Similarity unturned(const Similarity& outer, const Vec3d& pivot) {
  Similarity transform;
  transform.scale = outer.scale;
  transform.offset = scene::subtract(outer.point(pivot), scene::scaled(pivot, transform.scale));
  return transform;
}

void put(Vec3& v, const Vec3d& value) { v = scene::narrow(value); }

class Placer {
 public:
  Placer(Document& document, const Similarity& transform, EditLog& log)
      : document_(document),
        transform_(transform),
        log_(log),
        lines_(document),
        nodes_(nodes_by_id(document)) {
    if (const auto* pivots = document.find<Pivots>()) {
      pivots_ = pivots->points;
    }
  }

  void run();

 private:
  /// What a node's parent does, and what its own frame does.
  struct NodeTransforms {
    Similarity outer;
    Similarity inner;
  };

  [[nodiscard]] Vec3d pivot_of(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < pivots_.size()
               ? scene::widen(pivots_[static_cast<std::size_t>(id)])
               : Vec3d{};
  }
  const NodeTransforms& transforms_of(std::int32_t id);
  void note_free_frames();
  /// Where vertices go that hang at these nodes together.
  const Similarity& common_transform(const std::vector<std::int32_t>& ids);

  template <class Item>
  void node(Item& item);
  static void rotation(Track& track, const NodeTransforms& transforms);
  void add_rotation(Node& node, const NodeTransforms& transforms);
  void scaling(Track& track, const NodeTransforms& transforms, const Node& node);
  static void vectors(Track& track, const Similarity& transform);
  static void numbers(Track& track, double factor);
  void numbers_of(Tracks& tracks) const;

  void geoset(Geoset& geoset);
  static std::vector<std::vector<std::int32_t>> bones_of_vertices(const Geoset& geoset);
  void extent(Extent& extent) const;
  void bind_poses();
  void length(float& value) const { value = transform_.length(value); }

  void fields(Light& light) const;
  void fields(ParticleEmitter& emitter);
  void fields(ParticleEmitter2& emitter) const;
  void fields(RibbonEmitter& ribbon) const;
  void fields(PopcornEmitter& emitter);
  void fields(CollisionShape& shape);
  void fields(Attachment& attachment);
  template <class Item>
  static void fields(Item& /*item*/) {}
  void camera(Camera& camera);
  void inexact(std::string path, std::string message) {
    log_.findings.add(codes::kEditInexact, std::move(message), {}, std::move(path));
  }

  Document& document_;
  Similarity transform_;
  EditLog& log_;
  TimeLines lines_;
  std::map<std::int32_t, Node*> nodes_;
  Array<Vec3> pivots_;           ///< before
  std::set<std::int32_t> free_;  ///< nodes whose frame is not turned
  std::map<std::int32_t, NodeTransforms> transforms_;
  std::size_t mixed_vertices_ = 0;
};

/// A box turned askew is none any more.
bool stays_as_laid_out(const CollisionShape& shape, const Similarity& transform) {
  const bool sphere = shape.type == CollisionShape::Type::sphere;
  const bool corners = shape.type == CollisionShape::Type::box;
  return !sphere && !(corners && transform.keeps_axes());
}

void Placer::note_free_frames() {
  constexpr std::uint32_t kBillboards = node_flag::kBillboarded | node_flag::kBillboardedLockX |
                                        node_flag::kBillboardedLockY | node_flag::kBillboardedLockZ;
  if (!transform_.turns) {
    return;
  }
  each_object(document_, [&](auto& item, const std::string&) {
    using Item = std::remove_cvref_t<decltype(item)>;
    bool is_free = (item.node.flags & kBillboards) != 0;
    if constexpr (std::is_same_v<Item, CollisionShape>) {
      is_free = is_free || stays_as_laid_out(item, transform_);
    } else if constexpr (!std::is_same_v<Item, Bone> && !std::is_same_v<Item, Helper> &&
                         !std::is_same_v<Item, EventObject> && !std::is_same_v<Item, SoundEmitter>) {
      is_free = true;
    }
    if (is_free) {
      free_.insert(item.node.object_id);
    }
  });
}

const Placer::NodeTransforms& Placer::transforms_of(std::int32_t id) {
  std::vector<std::int32_t> chain;  // up to a node that is known, or a root
  for (std::int32_t at = id; !transforms_.contains(at) && chain.size() <= nodes_.size();) {
    chain.push_back(at);
    const auto found = nodes_.find(at);
    if (found == nodes_.end() || !nodes_.contains(found->second->parent_id)) {
      break;
    }
    at = found->second->parent_id;
  }
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    const auto found = nodes_.find(*link);
    const auto above = found == nodes_.end() ? transforms_.end() : transforms_.find(found->second->parent_id);
    NodeTransforms transforms;
    transforms.outer = above == transforms_.end() ? transform_ : above->second.inner;
    transforms.inner = free_.contains(*link) ? unturned(transforms.outer, pivot_of(*link)) : transforms.outer;
    transforms_.insert_or_assign(*link, transforms);
  }
  return transforms_.at(id);
}

// --- tracks

void Placer::vectors(Track& track, const Similarity& transform) {
  const std::size_t parts = track.has_tangents() ? 3 : 1;
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (std::size_t part = 0; part < parts; ++part) {
      const Vec4 value = track.value(key, static_cast<unsigned>(part));
      const Vec3 moved =
          scene::narrow(transform.direction({double{value[0]}, double{value[1]}, double{value[2]}}));
      std::memcpy(&track.words[key * track.stride() + 1 + part * 3], moved.data(), sizeof(moved));
    }
  }
}

void Placer::numbers(Track& track, double factor) {
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (std::size_t at = 1; at < track.stride(); ++at) {
      float value = 0;
      std::uint32_t& word = track.words[key * track.stride() + at];
      std::memcpy(&value, &word, sizeof(value));
      value = scene::to_float(double{value} * factor);
      std::memcpy(&word, &value, sizeof(value));
    }
  }
}

/// Spherical interpolation does not mind a turn on either side, nor do control points of squad.
void Placer::rotation(Track& track, const NodeTransforms& transforms) {
  const std::size_t parts = track.has_tangents() ? 3 : 1;
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (std::size_t part = 0; part < parts; ++part) {
      const Vec4d value = scene::widen(track.value(key, static_cast<unsigned>(part)));
      const Vec4 turned = scene::narrow(scene::quaternion_product(
          scene::quaternion_product(transforms.outer.turn, value), scene::conjugate(transforms.inner.turn)));
      std::memcpy(&track.words[key * track.stride() + 1 + part * 4], turned.data(), sizeof(turned));
    }
  }
}

/// What a sequence without keys shows is no turn at all, so that each of them needs one.
void Placer::add_rotation(Node& node, const NodeTransforms& transforms) {
  const Vec4d turn =
      scene::quaternion_product(transforms.outer.turn, scene::conjugate(transforms.inner.turn));
  auto found = std::find_if(node.tracks.begin(), node.tracks.end(),
                            [](const Track& track) { return track.tag == FourCC{"KGRT"}; });
  if (found == node.tracks.end()) {
    Track track;
    track.tag = FourCC{"KGRT"};
    const auto scaling = std::find_if(node.tracks.begin(), node.tracks.end(),
                                      [](const Track& other) { return other.tag == FourCC{"KGSC"}; });
    found = node.tracks.insert(scaling, std::move(track));
  } else if (found->global_sequence >= 0) {
    return;
  }
  std::vector<std::int64_t> starts;
  for (const Window& window : lines_.sequences) {
    bool keyed = false;
    for (std::size_t key = 0; key < found->size() && !keyed; ++key) {
      keyed = window.start <= found->frame(key) && found->frame(key) <= window.end;
    }
    if (!keyed && std::find(starts.begin(), starts.end(), window.start) == starts.end()) {
      starts.push_back(window.start);
    }
  }
  const Vec4 value = scene::narrow(turn);
  const std::size_t stride = found->stride();
  for (const std::int64_t start : starts) {
    std::size_t at = 0;
    while (at < found->size() && found->frame(at) < start) {
      ++at;
    }
    std::vector<std::uint32_t> words(stride);
    words[0] = static_cast<std::uint32_t>(start);
    for (std::size_t part = 0; part * 4 + 1 < stride; ++part) {
      std::memcpy(&words[part * 4 + 1], value.data(), sizeof(value));
    }
    found->words.insert(found->words.begin() + static_cast<std::ptrdiff_t>(at * stride), words.begin(),
                        words.end());
  }
}

/// Scales that differ by axis go with axes.
void Placer::scaling(Track& track, const NodeTransforms& transforms, const Node& node) {
  const Similarity& transform = transforms.inner;
  if (!transform.turns) {
    return;
  }
  const std::size_t parts = track.has_tangents() ? 3 : 1;
  bool askew = false;
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (std::size_t part = 0; part < parts; ++part) {
      const Vec4 value = track.value(key, static_cast<unsigned>(part));
      const bool uniform = value[0] == value[1] && value[1] == value[2];
      if (uniform) {
        continue;
      }
      askew = askew || !transform.keeps_axes();
      Vec3 moved{value[0], value[1], value[2]};
      for (std::size_t axis = 0; axis < 3 && transform.keeps_axes(); ++axis) {
        const auto& row = transform.rows.at(axis);
        const auto from = std::find_if(row.begin(), row.end(), [](double x) { return x != 0; }) - row.begin();
        moved.at(axis) = value.at(static_cast<std::size_t>(from));
      }
      std::memcpy(&track.words[key * track.stride() + 1 + part * 3], moved.data(), sizeof(moved));
    }
  }
  if (askew) {
    inexact(shown(node.name.view()) + ".KGSC", "the nonuniform scaling track is rotated only approximately");
  }
}

void Placer::numbers_of(Tracks& tracks) const {
  static constexpr std::array kLengths = {FourCC{"KLAS"}, FourCC{"KLAE"}, FourCC{"KLSS"}, FourCC{"KLSE"},
                                          FourCC{"KPEG"}, FourCC{"KPES"}, FourCC{"KP2S"}, FourCC{"KP2G"},
                                          FourCC{"KP2N"}, FourCC{"KP2W"}, FourCC{"KRHA"}, FourCC{"KRHB"},
                                          FourCC{"KPPS"}, FourCC{"IDUF"}};
  for (Track& track : tracks) {
    if (std::find(kLengths.begin(), kLengths.end(), track.tag) != kLengths.end()) {
      numbers(track, transform_.scale);
    } else if (track.tag == FourCC{"KLLF"}) {
      numbers(track, 1 / transform_.scale);
    } else if (track.tag == FourCC{"KLQF"}) {
      numbers(track, 1 / transform_.scale / transform_.scale);
    }
  }
}

template <class Item>
void Placer::node(Item& item) {
  Node& node = item.node;
  const NodeTransforms transforms = transforms_of(node.object_id);
  // A full billboard takes its turn within the picture, from nobody.
  const bool full = (node.flags & node_flag::kBillboarded) != 0;
  for (Track& track : node.tracks) {
    if (track.tag == FourCC{"KGTR"}) {
      vectors(track, transforms.outer);
    } else if (track.tag == FourCC{"KGRT"} && !full && transform_.turns) {
      rotation(track, transforms);
    } else if (track.tag == FourCC{"KGSC"}) {
      scaling(track, transforms, node);
    }
  }
  if (!full && transforms.outer.rows != transforms.inner.rows) {
    add_rotation(node, transforms);
  }
  fields(item);
  if constexpr (requires { item.tracks; }) {
    numbers_of(item.tracks);
  }
}

// --- what objects say of themselves

void Placer::fields(Light& light) const {
  length(light.attenuation_start);
  length(light.attenuation_end);
  length(light.shadow_casting_start);
  length(light.shadow_casting_end);
  if (document_.version() >= 1600) {
    light.linear_falloff = scene::to_float(double{light.linear_falloff} / transform_.scale);
    light.quadratic_falloff =
        scene::to_float(double{light.quadratic_falloff} / transform_.scale / transform_.scale);
  }
}

void Placer::fields(ParticleEmitter& emitter) {
  length(emitter.gravity);
  length(emitter.speed);
  if (transform_.scale != 1) {
    inexact(shown(emitter.node.name.view()),
            "the emitted model or texture is a separate file and is not scaled; scale it, too");
  }
}

void Placer::fields(ParticleEmitter2& emitter) const {
  for (float* value : {&emitter.speed, &emitter.gravity, &emitter.length, &emitter.width}) {
    length(*value);
  }
  for (float& value : emitter.segment_scales) {
    length(value);
  }
}

void Placer::fields(RibbonEmitter& ribbon) const {
  for (float* value : {&ribbon.height_above, &ribbon.height_below, &ribbon.gravity}) {
    length(*value);
  }
}

void Placer::fields(PopcornEmitter& emitter) {
  length(emitter.speed);
  if (transform_.scale != 1) {
    inexact(shown(emitter.node.name.view()),
            "the effect is a separate file and is not scaled; scale it, too");
  }
}

void Placer::fields(Attachment& attachment) {
  if (transform_.scale != 1 && !attachment.path.view().empty()) {
    inexact(shown(attachment.node.name.view()),
            "the attached model is a separate file and is not scaled; scale it, too");
  }
}

/// mdx.md#collision-shapes: the number of floats determines what they are.
void Placer::fields(CollisionShape& shape) {
  auto& values = shape.payload;
  const Similarity transform = transforms_of(shape.node.object_id).inner;
  const auto vertex = [&](std::size_t at) {
    Vec3 point{values[at], values[at + 1], values[at + 2]};
    point = transform.point(point);
    std::copy(point.begin(), point.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const std::size_t size = values.size();
  const std::size_t vertices = size >= 6 ? 2 : size >= 3 ? 1 : 0;
  for (std::size_t i = 0; i < vertices; ++i) {
    vertex(i * 3);
  }
  for (std::size_t i = vertices * 3; i < size; ++i) {
    length(values[i]);
  }
  for (std::size_t axis = 0;
       axis < 3 && shape.type == CollisionShape::Type::box && size >= 6 && transform.turns; ++axis) {
    if (values[axis] > values[axis + 3]) {
      std::swap(values[axis], values[axis + 3]);
    }
  }
}

void Placer::camera(Camera& camera) {
  put(camera.position, transform_.point(scene::widen(camera.position)));
  put(camera.target, transform_.point(scene::widen(camera.target)));
  length(camera.near_clip);
  length(camera.far_clip);
  for (Track& track : camera.tracks) {
    if (track.tag == FourCC{"KCTR"} || track.tag == FourCC{"KTTR"}) {
      vectors(track, transform_);
    }
  }
  numbers_of(camera.tracks);
  if (transform_.rows[2] != Vec3d{0, 0, 1}) {
    inexact(shown(camera.name.view()), "the camera is not tilted with the model; its horizon stays level");
  }
}

// --- vertices and bounds

/// A turned box has the turned box within. Bounds that say nothing stay.
void Placer::extent(Extent& extent) const {
  if (extent.minimum == Vec3{} && extent.maximum == Vec3{} && extent.bounds_radius == 0) {
    return;
  }
  Extent moved;
  std::tie(moved.minimum, moved.maximum) = scene::transformed_box(transform_, extent.minimum, extent.maximum);
  // The sphere is about the origin.
  moved.bounds_radius =
      scene::to_float(double{extent.bounds_radius} * transform_.scale + scene::length(transform_.offset));
  extent = moved;
}

std::vector<std::vector<std::int32_t>> Placer::bones_of_vertices(const Geoset& geoset) {
  std::vector<std::vector<std::int32_t>> bones(geoset.positions.size());
  const auto of_skin = [&](const auto& skin) {
    for (std::size_t v = 0; v < std::min(bones.size(), skin.size()); ++v) {
      for (std::size_t i = 0; i < kSkinBones; ++i) {
        if (skin[v].at(kSkinBones + i) != 0) {
          bones[v].push_back(skin[v].at(i));
        }
      }
    }
  };
  if (geoset.skin) {
    of_skin(*geoset.skin);
  } else if (geoset.wide_skin) {
    of_skin(*geoset.wide_skin);
  } else {
    std::vector<std::size_t> starts{0};
    for (const std::uint32_t count : geoset.matrix_groups) {
      starts.push_back(std::min(geoset.matrix_indices.size(), starts.back() + count));
    }
    for (std::size_t v = 0; v < std::min(bones.size(), geoset.vertex_groups.size()); ++v) {
      const std::size_t group = geoset.vertex_groups[v];
      for (std::size_t i = group + 1 < starts.size() ? starts[group] : 0;
           group + 1 < starts.size() && i < starts[group + 1]; ++i) {
        bones[v].push_back(static_cast<std::int32_t>(geoset.matrix_indices[i]));
      }
    }
  }
  return bones;
}

const Similarity& Placer::common_transform(const std::vector<std::int32_t>& ids) {
  if (ids.empty()) {
    return transform_;
  }
  const Similarity& first = transforms_of(ids.front()).inner;
  const bool alike =
      std::all_of(ids.begin(), ids.end(), [&](std::int32_t id) { return transforms_of(id).inner == first; });
  mixed_vertices_ += alike ? 0 : 1;
  return alike ? first : transform_;
}

void Placer::geoset(Geoset& geoset) {
  std::vector<std::vector<std::int32_t>> bones;
  if (!free_.empty()) {
    bones = bones_of_vertices(geoset);
  }
  for (std::size_t v = 0; v < geoset.positions.size(); ++v) {
    const Similarity& transform = bones.empty() ? transform_ : common_transform(bones[v]);
    put(geoset.positions[v], transform.point(scene::widen(geoset.positions[v])));
    if (transform.turns && v < geoset.normals.size()) {
      put(geoset.normals[v], transform.turned(scene::widen(geoset.normals[v])));
    }
    if (transform.turns && geoset.tangents && v < geoset.tangents->size()) {
      Vec4& tangent = (*geoset.tangents)[v];
      const Vec3 along =
          scene::narrow(transform.turned({double{tangent[0]}, double{tangent[1]}, double{tangent[2]}}));
      std::copy(along.begin(), along.end(), tangent.begin());
    }
  }
  extent(geoset.extent);
  for (Extent& bounds : geoset.sequence_extents) {
    extent(bounds);
  }
}

/// Theirs are the nodes' by id, then the cameras'.
void Placer::bind_poses() {
  auto* bind = document_.find<BindPoses>();
  if (bind == nullptr) {
    return;
  }
  const std::size_t nodes =
      bind->poses.size() - std::min(bind->poses.size(), document_.all<Cameras>().size());
  for (std::size_t i = 0; i < bind->poses.size(); ++i) {
    BindPose& pose = bind->poses[i];
    const Similarity inner =
        i < nodes ? transforms_of(static_cast<std::int32_t>(i)).inner : unturned(transform_, {});
    const scene::Mat4d back = scene::compose({}, scene::conjugate(inner.turn), {1, 1, 1});
    std::array<Vec3d, 3> axes{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      axes.at(axis) = transform_.turned(
          {double{pose.at(axis * 3)}, double{pose.at(axis * 3 + 1)}, double{pose.at(axis * 3 + 2)}});
    }
    for (std::size_t axis = 0; axis < 3 && transform_.turns; ++axis) {
      Vec3d sum{};
      for (std::size_t k = 0; k < 3; ++k) {
        sum = scene::add(sum, scene::scaled(axes.at(k), back.at(axis * 4 + k)));
      }
      for (std::size_t k = 0; k < 3; ++k) {
        pose.at(axis * 3 + k) = scene::to_float(scene::snapped(sum.at(k)));
      }
    }
    const Vec3d at = transform_.point(Vec3d{double{pose[9]}, double{pose[10]}, double{pose[11]}});
    for (std::size_t k = 0; k < 3; ++k) {
      pose.at(9 + k) = scene::to_float(at.at(k));
    }
  }
}

void Placer::run() {
  note_free_frames();
  bind_poses();
  for_each<Geosets>(document_, [&](Geoset& item, std::size_t) { geoset(item); });
  each_object(document_, [&](auto& item, const std::string&) { node(item); });
  if (auto* pivots = document_.find<Pivots>()) {
    for (std::size_t i = 0; i < pivots->points.size(); ++i) {
      put(pivots->points[i],
          transforms_of(static_cast<std::int32_t>(i)).outer.point(scene::widen(pivots->points[i])));
    }
  }
  for_each<Cameras>(document_, [&](Camera& item, std::size_t) { camera(item); });
  for_each<Sequences>(document_, [&](Sequence& sequence, std::size_t) {
    length(sequence.move_speed);
    extent(sequence.extent);
  });
  if (auto* model = document_.find<Model>()) {
    extent(model->extent);
  }
  if (mixed_vertices_ > 0) {
    inexact("GEOS", std::to_string(mixed_vertices_) +
                        (mixed_vertices_ == 1 ? " vertex is bound" : " vertices are bound") +
                        " to both a billboard and rotated nodes and cannot follow both");
  }
}

}  // namespace

void place(Document& document, const Placement& placement, EditLog& log) {
  const Similarity transform = scene::similarity_of(placement);
  if (transform.is_identity()) {
    return;
  }
  Placer(document, transform, log).run();
  log.changes.push_back({"", "the model " + transform.words()});
}

}  // namespace thaw::mdx
