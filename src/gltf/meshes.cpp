// Geometry: what a scene's mesh holds, fixed to what the format allows.
#include <thaw/control.hpp>

#include "bytes/finite.hpp"
#include "bytes/number_text.hpp"
#include "gltf/export.hpp"
#include "scene/math.hpp"
#include "scene/unique_names.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace thaw::gltf {
namespace {

using scene::Vec3d;

constexpr std::size_t kJointsPerSet = 4;

/// Unit vectors are left as they are; what viewers would take for an error is not.
Vec3 unit(const Vec3& vector, const Vec3& fallback) {
  if (!all_finite(vector)) {
    return fallback;
  }
  const Vec3d wide = scene::widen(vector);
  const double length = scene::length(wide);
  if (std::fabs(length - 1) <= 1e-4) {
    return vector;
  }
  return length > 1e-12 ? scene::narrow(scene::scaled(wide, 1 / length)) : fallback;
}

Vec3 unit_perpendicular(const Vec3& vector) {
  const Vec3d side = scene::perpendicular(scene::widen(vector));
  return scene::narrow(scene::scaled(side, 1 / scene::length(side)));
}

template <std::size_t N>
Array<std::array<float, N>> without_non_finite(const Array<std::array<float, N>>& values) {
  auto result = values;
  for (auto& value : result) {
    value = all_finite(value) ? value : std::array<float, N>{};
  }
  return result;
}

/// Joints and weights of one mesh as glTF requires: by falling weight, each joint once, unused places zero,
/// the sum 1.
class Influences {
 public:
  Influences(const scene::Mesh& mesh, std::size_t joint_count);

  [[nodiscard]] unsigned sets() const { return static_cast<unsigned>(joints_.size()); }
  [[nodiscard]] std::span<const std::uint16_t> joints(unsigned set) const { return joints_[set]; }
  [[nodiscard]] std::span<const Vec4> weights(unsigned set) const { return weights_[set]; }
  /// The weights in parts of the largest T, where that says the same: equal shares of each vertex, which
  /// readers recognise (scene::equalise_weights), or what had such parts before. Else empty: of two equal
  /// shares a byte cannot say one.
  template <class T>
  [[nodiscard]] std::vector<std::vector<T>> whole_weights() const;

 private:
  struct Influence {
    std::uint16_t joint = 0;
    double weight = 0;
  };
  void gather(const scene::Mesh& mesh, std::size_t vertex, std::size_t joint_count);
  void normalize();
  void store(std::size_t vertex, std::size_t vertex_count);

  [[nodiscard]] float weight(std::size_t vertex, std::size_t place) const {
    return weights_[place / kJointsPerSet][vertex][place % kJointsPerSet];
  }

  std::vector<Influence> current_;
  std::vector<Array<std::uint16_t>> joints_;
  std::vector<Array<Vec4>> weights_;
};

Influences::Influences(const scene::Mesh& mesh, std::size_t joint_count) {
  for (std::size_t vertex = 0; vertex < mesh.positions.size(); ++vertex) {
    gather(mesh, vertex, joint_count);
    normalize();
    store(vertex, mesh.positions.size());
  }
}

void Influences::gather(const scene::Mesh& mesh, std::size_t vertex, std::size_t joint_count) {
  current_.clear();
  for (std::size_t i = vertex * mesh.influences; i < (vertex + 1) * mesh.influences; ++i) {
    const std::uint16_t joint = mesh.joints[i];
    const float weight = mesh.weights[i];
    if (!(weight > 0) || !std::isfinite(weight) || joint >= joint_count) {
      continue;
    }
    const auto same = std::find_if(current_.begin(), current_.end(),
                                   [&](const Influence& other) { return other.joint == joint; });
    if (same == current_.end()) {
      current_.push_back({joint, double{weight}});
    } else {
      same->weight += double{weight};
    }
  }
  if (current_.empty()) {
    current_.push_back({0, 1});
  }
  std::stable_sort(current_.begin(), current_.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
}

/// The sum of the rounded weights is what readers see: the largest takes the rounding of the others.
void Influences::normalize() {
  double sum = 0;
  for (const auto& influence : current_) {
    sum += influence.weight;
  }
  double others = 0;
  for (std::size_t i = 1; i < current_.size(); ++i) {
    const auto rounded = static_cast<float>(current_[i].weight / sum);
    current_[i].weight = double{rounded};
    others += current_[i].weight;
  }
  current_.front().weight = 1 - others;
  while (current_.size() > 1 && !(static_cast<float>(current_.back().weight) > 0)) {
    current_.pop_back();
  }
}

void Influences::store(std::size_t vertex, std::size_t vertex_count) {
  while (sets() * kJointsPerSet < current_.size()) {
    joints_.emplace_back().resize(vertex_count * kJointsPerSet, 0);
    weights_.emplace_back().resize(vertex_count, Vec4{});
  }
  for (std::size_t i = 0; i < current_.size(); ++i) {
    const std::size_t set = i / kJointsPerSet;
    const std::size_t place = i % kJointsPerSet;
    joints_[set][vertex * kJointsPerSet + place] = current_[i].joint;
    weights_[set][vertex][place] = static_cast<float>(current_[i].weight);
  }
}

template <class T>
std::vector<std::vector<T>> Influences::whole_weights() const {
  constexpr std::size_t kAll = std::numeric_limits<T>::max();
  constexpr double kWhole = kAll;
  constexpr double kRounding = kWhole * 4e-7;  // of floats
  const std::size_t vertices = weights_.empty() ? 0 : weights_.front().size();
  std::vector<std::vector<T>> result(sets(), std::vector<T>(vertices * kJointsPerSet, 0));
  bool equal = true;
  bool parts = true;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    std::size_t used = 0;
    double sum = 0;
    while (used < sets() * kJointsPerSet && weight(vertex, used) > 0) {
      const double part = double{weight(vertex, used++)} * kWhole;
      parts = parts && std::fabs(part - std::round(part)) <= kRounding;
      sum += std::round(part);
    }
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no vertex is without a weight (gather).
    const std::size_t share = kAll / used;
    const std::size_t left = kAll % used;
    const double exact = kWhole / static_cast<double>(used);
    equal = equal && (left == 0 || sizeof(T) > 1);
    for (std::size_t i = 0; i < used; ++i) {
      const double part = double{weight(vertex, i)} * kWhole;
      const bool fits = std::fabs(part - exact) <= kRounding;
      equal = equal && fits;
      result[i / kJointsPerSet][vertex * kJointsPerSet + i % kJointsPerSet] =
          fits ? static_cast<T>(share + (i < left ? 1 : 0)) : static_cast<T>(std::lround(part));
    }
    parts = parts && sum == kWhole;
    if (!equal && !parts) {
      return {};
    }
  }
  return result;
}

class MeshBuilder {
 public:
  /// `moved` states which nodes have left their parent for the top.
  MeshBuilder(Export& out, Index index, scene::UniqueNames& names, std::vector<bool>& moved)
      : out_(out), index_(index), source_(out.scene.meshes[index]), names_(names), moved_(moved) {}

  PlacedMesh build();

 private:
  struct Part {
    Index material = kNone;
    Array<std::uint32_t> indices;
    Index mode = kTriangles;
  };
  struct Pass {
    const Part* part = nullptr;
    std::size_t draw = 0;
    const Draw* look = nullptr;
  };

  void collect_parts();
  void add_triangles(Part& part, std::size_t first, std::size_t count);
  void add_wire(const scene::Wire& wire);
  [[nodiscard]] bool is_skinned() const;
  [[nodiscard]] bool all_layered() const;
  [[nodiscard]] std::unique_ptr<Visibility> make_visibility() const;
  [[nodiscard]] Tint make_tint() const;
  void add_attributes();
  void add_uv_sets(unsigned needed);
  void add_influences();
  void add_targets();
  void add_morph_target(const scene::MorphTarget& target);
  [[nodiscard]] std::vector<Pass> passes() const;
  void add_primitive(const Pass& pass, const Tint& tint);
  [[nodiscard]] bool may_have_normals(const Part& part) const;
  [[nodiscard]] bool moves_itself(Index node) const;
  void place();

  Export& out_;
  Index index_;
  const scene::Mesh& source_;
  scene::UniqueNames& names_;
  std::vector<bool>& moved_;
  PlacedMesh placed_;
  std::vector<Part> parts_;
  Array<Vec3> positions_;
  Mesh mesh_;
  Attributes attributes_;
  Array<Vec4> tangents_;  ///< written with the first primitive that needs them
  unsigned uv_sets_ = 0;
  std::vector<Attributes> targets_;
  std::map<const Part*, Index> index_accessors_;
};

void MeshBuilder::add_triangles(Part& part, std::size_t first, std::size_t count) {
  const auto& indices = source_.indices;
  const std::size_t begin = std::min(first, indices.size());
  const std::size_t end = begin + std::min(count, indices.size() - begin);
  std::size_t dropped = 0;
  for (std::size_t i = begin; i + 3 <= end; i += 3) {
    const auto* corner = indices.data() + i;
    const bool sound =
        std::all_of(corner, corner + 3, [&](std::uint32_t at) { return at < positions_.size(); });
    if (sound) {
      part.indices.insert(part.indices.end(), corner, corner + 3);
    } else {
      ++dropped;
    }
  }
  if (dropped > 0) {
    out_.diagnostics.add(codes::kSceneGeoset,
                         counted(dropped, "triangle") + " with missing vertices left out", {},
                         "meshes[" + std::to_string(index_) + "]");
  }
}

/// Whole, or not at all.
void MeshBuilder::add_wire(const scene::Wire& wire) {
  using Mode = scene::Wire::Mode;
  const std::size_t step = wire.mode == Mode::lines ? 2 : 1;
  const std::size_t least = wire.mode == Mode::points ? 1 : 2;
  const bool sound = wire.indices.size() >= least && wire.indices.size() % step == 0 &&
                     std::all_of(wire.indices.begin(), wire.indices.end(),
                                 [&](std::uint32_t at) { return at < positions_.size(); });
  if (sound) {
    parts_.push_back({wire.material, wire.indices, static_cast<Index>(wire.mode)});
  } else {
    out_.diagnostics.add(codes::kSceneGeoset,
                         "incomplete points or lines, or ones with missing vertices, left out", {},
                         "meshes[" + std::to_string(index_) + "]");
  }
}

void MeshBuilder::collect_parts() {
  if (source_.parts.empty()) {
    add_triangles(parts_.emplace_back(), 0, source_.indices.size());
  }
  for (const auto& part : source_.parts) {
    parts_.push_back({part.material, {}});
    add_triangles(parts_.back(), part.first_index, part.index_count);
  }
  for (const auto& wire : source_.wires) {
    add_wire(wire);
  }
  parts_.erase(
      std::remove_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.indices.empty(); }),
      parts_.end());
}

bool MeshBuilder::is_skinned() const {
  const std::size_t needed = source_.positions.size() * source_.influences;
  return source_.skin < out_.skins.size() && out_.skins[source_.skin] != kNone && needed > 0 &&
         source_.joints.size() == needed && source_.weights.size() == needed;
}

/// Parts without layers are always seen.
bool MeshBuilder::all_layered() const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    return part.material < out_.scene.materials.size() && !out_.scene.materials[part.material].layers.empty();
  });
}

std::unique_ptr<Visibility> MeshBuilder::make_visibility() const {
  auto visibility = std::make_unique<Visibility>(out_.channels);
  visibility->add_group();
  visibility->add({Target::Kind::mesh, index_, 0}, Property::mesh_alpha, source_.alpha);
  if (source_.node < out_.scene.nodes.size()) {
    visibility->add_group();
    visibility->add({Target::Kind::node, source_.node, 0}, Property::visibility, 1);
  }
  if (all_layered()) {
    visibility->add_group();
    for (const auto& part : parts_) {
      const auto& layers = out_.scene.materials[part.material].layers;
      if (!out_.budget.spend(layers.size())) {
        visibility->add_visible();
        break;
      }
      for (Index layer = 0; layer < layers.size(); ++layer) {
        visibility->add({Target::Kind::layer, part.material, layer}, Property::layer_alpha,
                        layers[layer].alpha);
      }
    }
  }
  visibility->finish(!visibility->varies() || out_.spend_channels());
  return visibility;
}

Tint MeshBuilder::make_tint() const {
  const Target target{Target::Kind::mesh, index_, 0};
  Tint tint;
  tint.color = out_.channels.initial(target, Property::mesh_color, source_.color);
  tint.color = all_finite(tint.color) ? tint.color : Vec3{1, 1, 1};
  tint.alpha = out_.channels.typical_alpha(target, Property::mesh_alpha, source_.alpha);
  const bool animated =
      out_.channels.any(target, Property::mesh_color) || out_.channels.any(target, Property::mesh_alpha);
  tint.owner = out_.rich() && animated ? index_ : kNone;
  return tint;
}

void MeshBuilder::add_attributes() {
  const std::size_t count = positions_.size();
  attributes_.emplace_back("POSITION", out_.buffer.add_positions(positions_));
  if (source_.normals.size() == count) {
    constexpr Vec3 kUp = {0, 1, 0};
    Array<Vec3> normals = source_.normals;
    for (auto& normal : normals) {
      normal = unit(normal, kUp);
    }
    attributes_.emplace_back("NORMAL", out_.buffer.add_normals(normals));
    if (source_.tangents.size() == count) {
      Array<Vec4> tangents = source_.tangents;
      for (std::size_t i = 0; i < count; ++i) {
        const Vec4& from = source_.tangents[i];
        const Vec3 direction = unit({from[0], from[1], from[2]}, unit_perpendicular(normals[i]));
        tangents[i] = {direction[0], direction[1], direction[2], from[3] < 0 ? -1.0F : 1.0F};
      }
      tangents_ = std::move(tangents);
    }
  }
  // Sets of colours count without gaps.
  for (const bool second : {false, true}) {
    Array<Vec4> colors = second ? source_.second_colors : source_.colors;
    if (count == 0 || colors.size() != count) {
      break;
    }
    for (auto& color : colors) {
      for (std::size_t c = 0; c < 3; ++c) {
        color[c] = static_cast<float>(std::min(1.0, scene::srgb_to_linear(double{color[c]})));
      }
      color[3] = std::isfinite(color[3]) ? std::clamp(color[3], 0.0F, 1.0F) : 1;
    }
    attributes_.emplace_back(second ? "COLOR_1" : "COLOR_0", out_.buffer.add_colors(colors));
  }
}

/// All sets that the mesh has; if materials request more, the last one again.
void MeshBuilder::add_uv_sets(unsigned needed) {
  const std::size_t count = positions_.size();
  Index last = kNone;
  for (const auto& set : source_.uv_sets) {
    if (set.size() == count) {
      last = out_.buffer.add_uvs(without_non_finite(set));
      attributes_.emplace_back("TEXCOORD_" + std::to_string(uv_sets_++), last);
    }
  }
  while (uv_sets_ < needed) {
    if (last == kNone) {
      Array<Vec2> zeros;
      zeros.resize(count, Vec2{});
      last = out_.buffer.add_uvs(zeros);
    }
    attributes_.emplace_back("TEXCOORD_" + std::to_string(uv_sets_++), last);
  }
}

void MeshBuilder::add_influences() {
  const Influences influences(source_, out_.scene.skins[source_.skin].joints.size());
  const auto& joints = out_.scene.skins[source_.skin].joints;
  const bool whole = !out_.for_blender();
  const auto bytes =
      whole ? influences.whole_weights<std::uint8_t>() : std::vector<std::vector<std::uint8_t>>();
  const auto words = whole && bytes.empty() ? influences.whole_weights<std::uint16_t>()
                                            : std::vector<std::vector<std::uint16_t>>();
  for (unsigned set = 0; set < influences.sets(); ++set) {
    Array<std::uint16_t> places(influences.joints(set).begin(), influences.joints(set).end());
    for (std::size_t i = 0; i < places.size() && !out_.joint_places.empty(); ++i) {
      const bool used = influences.weights(set)[i / kJointsPerSet][i % kJointsPerSet] > 0;
      places[i] = used ? static_cast<std::uint16_t>(out_.joint_places[joints[places[i]]]) : std::uint16_t{0};
    }
    attributes_.emplace_back("JOINTS_" + std::to_string(set), out_.buffer.add_joints(places));
    attributes_.emplace_back("WEIGHTS_" + std::to_string(set),
                             !bytes.empty()   ? out_.buffer.add_weights(bytes[set])
                             : !words.empty() ? out_.buffer.add_weights(words[set])
                                              : out_.buffer.add_weights(influences.weights(set)));
  }
}

void MeshBuilder::add_morph_target(const scene::MorphTarget& target) {
  const std::size_t count = positions_.size();
  Array<Vec3> zeros;
  zeros.resize(count, Vec3{});
  Attributes attributes;
  const bool moved = target.positions.size() == count;
  attributes.emplace_back("POSITION",
                          out_.buffer.add_positions(moved ? without_non_finite(target.positions) : zeros));
  if (source_.normals.size() == count && target.normals.size() == count) {
    attributes.emplace_back("NORMAL", out_.buffer.add_differences(without_non_finite(target.normals)));
  }
  targets_.push_back(std::move(attributes));
  mesh_.target_names.push_back(target.name);
  mesh_.weights.push_back(0);
}

void MeshBuilder::add_targets() {
  for (const auto& target : source_.morph_targets) {
    add_morph_target(target);
  }
  // All targets of a mesh have the same attributes.
  const bool normals = std::all_of(targets_.begin(), targets_.end(),
                                   [](const Attributes& target) { return target.size() == 2; });
  for (auto& target : targets_) {
    target.resize(normals ? target.size() : 1);
  }
  placed_.morph_targets = static_cast<unsigned>(targets_.size());
  if (!placed_.has_hiding_target() || out_.for_blender()) {
    return;
  }
  scene::MorphTarget hidden;
  hidden.name = "hidden";
  for (const auto& position : positions_) {
    hidden.positions.push_back({-position[0], -position[1], -position[2]});
  }
  if (!targets_.empty() && normals) {
    hidden.normals.resize(positions_.size(), Vec3{});
  }
  add_morph_target(hidden);
  mesh_.weights.back() = placed_.visibility->initially() ? 0 : 1;
}

/// What is blended comes after what is not: viewers that do not sort draw in this order.
std::vector<MeshBuilder::Pass> MeshBuilder::passes() const {
  std::vector<Pass> result;
  for (const bool blended : {false, true}) {
    for (const auto& part : parts_) {
      const auto& draws = out_.materials.draws(part.material);
      for (std::size_t draw = 0; draw < draws.size(); ++draw) {
        if ((draws[draw].material.alpha_mode == AlphaMode::blend) == blended) {
          result.push_back({&part, draw, &draws[draw]});
        }
      }
    }
  }
  return result;
}

void MeshBuilder::add_primitive(const Pass& pass, const Tint& tint) {
  Primitive primitive;
  primitive.attributes = attributes_;
  const Material& material = pass.look->material;
  primitive.mode = pass.part->mode;
  const bool faces = primitive.mode == kTriangles;
  if (!tangents_.empty() && faces &&
      (material.normal_texture.texture != kNone || !may_have_normals(*pass.part))) {
    primitive.attributes.emplace_back("TANGENT", out_.buffer.add_tangents(tangents_));
  }
  const auto [entry, fresh] = index_accessors_.emplace(pass.part, kNone);
  if (fresh) {
    entry->second = out_.buffer.add_indices(pass.part->indices, positions_.size(), faces);
  }
  primitive.indices = entry->second;
  primitive.material = out_.materials.add(pass.part->material, pass.draw, tint);
  primitive.variants = out_.materials.variants_of(primitive.material);
  primitive.targets = targets_;
  mesh_.primitives.push_back(std::move(primitive));
}

/// Tangents without a picture of normals are dead weight in materials that could have one; where the scene
/// knows of none, they are all that is left of what the game does with them.
bool MeshBuilder::may_have_normals(const Part& part) const {
  if (part.material >= out_.scene.materials.size()) {
    return false;
  }
  const auto& layers = out_.scene.materials[part.material].layers;
  return std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.physically_based; });
}

bool MeshBuilder::moves_itself(Index node) const {
  const Target target{Target::Kind::node, node, 0};
  return out_.channels.any(target, Property::translation) || out_.channels.any(target, Property::rotation);
}

/// Skinned meshes stand at the top, where the format requires them, or outside the hierarchy if they are a
/// coarser level; the others on the node of the scene, or on a child of it if that is taken or moves its own
/// scale.
void MeshBuilder::place() {
  const bool has_node = source_.node < out_.scene.nodes.size();
  const bool is_coarse = has_node && out_.levels[source_.node].level > 0;
  const Index home = has_node ? source_.node : kNone;
  const bool free = has_node && out_.document.nodes[home].mesh == kNone && home != out_.root &&
                    out_.document.nodes[home].camera == kNone && out_.document.nodes[home].children.empty() &&
                    out_.scene.nodes[home].kind == scene::NodeKind::mesh &&
                    !out_.channels.any({Target::Kind::node, home, 0}, Property::scale) &&
                    !(placed_.skinned && moves_itself(home));
  if (!placed_.skinned) {
    placed_.node = free ? home : out_.add_node(mesh_.name, has_node ? home : out_.root);
    Node& node = out_.document.nodes[placed_.node];
    placed_.scale = node.scale;
    node.scale = placed_.visibility->initially() ? node.scale : out_.hidden_scale(node.scale);
  } else if (free) {
    moved_[home] = true;
    if (!is_coarse) {
      out_.document.roots.push_back(home);
    }
    placed_.node = home;
    Node& node = out_.document.nodes[home];
    node.translation = {};
    node.rotation = {0, 0, 0, 1};
    node.scale = {1, 1, 1};
  } else {
    placed_.node = out_.add_node(mesh_.name, kNone);
    if (is_coarse) {
      out_.document.roots.pop_back();
    }
  }
  Node& node = out_.document.nodes[placed_.node];
  node.mesh = placed_.mesh;
  node.skin = placed_.skinned ? out_.skins[source_.skin] : kNone;
  if (out_.rich() && (placed_.visibility->animated() || !placed_.visibility->initially())) {
    node.visible = placed_.visibility->initially();
  }
}

PlacedMesh MeshBuilder::build() {
  positions_ = without_non_finite(source_.positions);
  collect_parts();
  placed_.skinned = is_skinned();
  placed_.visibility = make_visibility();
  if (parts_.empty()) {
    return std::move(placed_);
  }
  unsigned uv_sets = 0;
  for (const auto& part : parts_) {
    for (const auto& draw : out_.materials.draws(part.material)) {
      for (const auto* info : {&draw.material.base_color_texture, &draw.material.emissive_texture}) {
        uv_sets = info->texture == kNone ? uv_sets : std::max(uv_sets, info->uv_set + 1);
      }
    }
  }
  mesh_.name = names_.add(source_.name, "mesh");
  add_attributes();
  add_uv_sets(uv_sets);
  if (placed_.skinned) {
    add_influences();
  }
  add_targets();
  const Tint tint = make_tint();
  for (const Pass& pass : passes()) {
    add_primitive(pass, tint);
  }
  placed_.mesh = static_cast<Index>(out_.document.meshes.size());
  out_.document.meshes.push_back(std::move(mesh_));
  mesh_.name = out_.document.meshes.back().name;
  place();
  return std::move(placed_);
}

}  // namespace

namespace {

/// Skinned meshes of the levels of one node.
using LevelNodes = std::vector<std::vector<Index>>;

std::map<Index, LevelNodes> skinned_levels(const Export& out) {
  std::map<Index, LevelNodes> result;
  for (std::size_t i = 0; i < out.meshes.size(); ++i) {
    const PlacedMesh& placed = out.meshes[i];
    const Index home = out.scene.meshes[i].node;
    if (!placed.skinned || placed.node == kNone || home >= out.levels.size()) {
      continue;
    }
    const auto [owner, level] = out.levels[home];
    if (owner != kNone) {
      auto& levels = result[owner];
      levels.resize(out.document.nodes[owner].lods.size() + 1);
      levels[level].push_back(placed.node);
    }
  }
  return result;
}

bool is_empty(const Node& node) {
  return node.mesh == kNone && node.camera == kNone && node.light == kNone && node.children.empty();
}

/// They have left the nodes that know of each other, so each gets its coarser forms: those of
/// the same number in their levels, and nodes with nothing where a level has fewer.
void pair_levels(Export& out, Index owner, LevelNodes& levels) {
  const Node source = out.document.nodes[owner];
  bool direct = levels.front().size() == 1 && levels.front().front() == owner;
  for (std::size_t i = 0; i < source.lods.size(); ++i) {
    direct = direct && levels[i + 1].size() == 1 && levels[i + 1].front() == source.lods[i];
  }
  if (direct) {
    return;
  }
  std::size_t most = 0;
  for (const auto& nodes : levels) {
    most = std::max(most, nodes.size());
  }
  if (!out.budget.spend(std::uint64_t{most} * levels.size() * kChannelCost)) {
    return;
  }
  while (levels.front().size() < most) {
    levels.front().push_back(out.add_node("LOD", kNone));
  }
  for (std::size_t level = 1; level < levels.size(); ++level) {
    while (levels[level].size() < most) {
      levels[level].push_back(out.add_node("LOD", kNone));
      out.document.roots.pop_back();
    }
  }
  for (std::size_t i = 0; i < most; ++i) {
    Node& finest = out.document.nodes[levels.front()[i]];
    finest.lods.clear();
    for (std::size_t level = 1; level < levels.size(); ++level) {
      finest.lods.push_back(levels[level][i]);
    }
    finest.lod_coverage = source.lod_coverage;
  }
  const bool nothing_left = std::all_of(source.lods.begin(), source.lods.end(),
                                        [&](Index node) { return is_empty(out.document.nodes[node]); });
  if (nothing_left && levels.front().front() != owner) {
    out.document.nodes[owner].lods.clear();
    out.document.nodes[owner].lod_coverage.clear();
  }
}

}  // namespace

void add_meshes(Export& out) {
  float extent = 0;
  for (const auto& mesh : out.scene.meshes) {
    for (const Vec3& position : without_non_finite(mesh.positions)) {
      for (const float part : position) {
        extent = std::max(extent, std::fabs(part));
      }
    }
  }
  out.buffer.set_extent(extent);
  scene::UniqueNames names;
  std::vector<bool> moved(out.scene.nodes.size());
  for (Index i = 0; i < out.scene.meshes.size(); ++i) {
    if (!proceed(out.options.control, "meshes", i, out.scene.meshes.size())) {
      return;
    }
    out.meshes.push_back(MeshBuilder(out, i, names, moved).build());
  }
  const auto has_moved = [&](Index node) { return node < moved.size() && moved[node]; };
  for (auto& node : out.document.nodes) {
    node.children.erase(std::remove_if(node.children.begin(), node.children.end(), has_moved),
                        node.children.end());
  }
  for (auto& [owner, levels] : skinned_levels(out)) {
    pair_levels(out, owner, levels);
  }
}

}  // namespace thaw::gltf
