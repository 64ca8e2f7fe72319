// Geosets as meshes (mdx.md#geosets, warcraft3-rendering.md#skinning,
// warcraft3-rendering.md#geoset-colour-and-visibility).
#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/convert/levels.hpp"
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/skin.hpp"
#include "formats/warcraft/mdx/scene/triangles.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"

#include <map>

namespace thaw::mdx {
namespace {

using scene::Index;
using scene::kNone;

class MeshBuilder {
 public:
  MeshBuilder(SceneBuilder& builder, const Geoset& geoset, std::size_t index)
      : builder_(builder), geoset_(geoset), place_{FourCC{"GEOS"}, index} {}

  void make(Index parent);

 private:
  void take_positions();
  void take_normals();
  void take_tangents();
  void take_uvs();
  void take_faces();
  void take_skin();
  void take_extras();
  void add_skin(SkinBinding binding);
  void report(std::string_view what) { builder_.report(codes::kSceneGeoset, place_, what); }

  SceneBuilder& builder_;
  const Geoset& geoset_;
  ObjectRef place_;
  scene::Mesh mesh_;
};

void MeshBuilder::take_positions() {
  bool broken = false;
  mesh_.positions.reserve(geoset_.positions.size());
  for (const auto& position : geoset_.positions) {
    broken =
        broken || !(std::isfinite(position[0]) && std::isfinite(position[1]) && std::isfinite(position[2]));
    mesh_.positions.push_back(builder_.position(position));
  }
  if (broken) {
    report("vertex coordinates that are not finite set to 0");
  }
}

void MeshBuilder::take_normals() {
  if (geoset_.normals.empty()) {
    return;
  }
  const std::size_t count = mesh_.positions.size();
  if (geoset_.normals.size() != count) {
    report("the geoset has " + counted(geoset_.normals.size(), "normal") + " for " +
           counted(count, "vertex") +
           (geoset_.normals.size() < count ? "; missing ones point up" : "; the excess is ignored"));
  }
  mesh_.normals.assign(count, Vec3{0, 1, 0});
  for (std::size_t i = 0; i < std::min(count, geoset_.normals.size()); ++i) {
    mesh_.normals[i] = to_y_up(finite_or(geoset_.normals[i], 0), builder_.dialect.axes);
  }
}

void MeshBuilder::take_tangents() {
  if (!geoset_.tangents || geoset_.tangents->empty()) {
    return;
  }
  const auto& tangents = *geoset_.tangents;
  const std::size_t count = mesh_.positions.size();
  if (tangents.size() != count) {
    report("the geoset has " + counted(tangents.size(), "tangent") + " for " + counted(count, "vertex") +
           (tangents.size() < count ? "; missing ones are set to a default" : "; the excess is ignored"));
  }
  mesh_.tangents.assign(count, Vec4{1, 0, 0, 1});
  for (std::size_t i = 0; i < std::min(count, tangents.size()); ++i) {
    const Vec4& t = tangents[i];
    const Vec3 direction = to_y_up(finite_or(Vec3{t[0], t[1], t[2]}, 0), builder_.dialect.axes);
    mesh_.tangents[i] = {direction[0], direction[1], direction[2], t[3] < 0 ? -1.0F : 1.0F};
  }
}

void MeshBuilder::take_uvs() {
  // The client's own limit (mdx.md#limits-of-geosets). Short sets are filled up, so their number must not
  // come from the file.
  constexpr std::size_t kMaxSets = 16;
  const std::size_t count = mesh_.positions.size();
  bool ragged = false;
  for (std::size_t index = 0; index < std::min(kMaxSets, geoset_.uv_sets.size()); ++index) {
    const auto& set = geoset_.uv_sets[index];
    ragged = ragged || set.coordinates.size() != count;
    Array<Vec2> uvs;
    uvs.assign(count, Vec2{});
    for (std::size_t i = 0; i < std::min(count, set.coordinates.size()); ++i) {
      uvs[i] = {finite_or(set.coordinates[i][0], 0), finite_or(set.coordinates[i][1], 0)};
    }
    mesh_.uv_sets.push_back(std::move(uvs));
  }
  if (ragged) {
    report(
        "the number of texture coordinates differs from the number of vertices; missing ones are set to 0");
  }
  if (geoset_.uv_sets.size() > kMaxSets) {
    report("the geoset has " + std::to_string(geoset_.uv_sets.size()) + " UV sets; only the first " +
           std::to_string(kMaxSets) + " are used");
  }
}

void MeshBuilder::take_faces() {
  auto triangles = triangulate(geoset_);
  if (triangles.ragged) {
    const bool grouped = !geoset_.primitive_types.empty() && !geoset_.primitive_counts.empty();
    report(grouped ? "face groups do not match the indices; only the faces that both describe are used"
                   : "the indices have no face groups; they are read as triangles");
  }
  if (triangles.unknown_types) {
    report("faces of unknown primitive types left out");
  }
  if (triangles.out_of_range) {
    report("faces with vertices that do not exist left out");
  }
  mesh_.indices = std::move(triangles.indices);
  scene::MeshPart part;
  part.index_count = static_cast<Index>(mesh_.indices.size());
  const auto material = static_cast<std::uint32_t>(geoset_.material_id);
  if (geoset_.material_id >= 0 && material < builder_.scene.materials.size()) {
    part.material = material;
  } else {
    builder_.report(
        codes::kSceneReference, place_,
        "material " + std::to_string(geoset_.material_id) + " does not exist; the mesh gets none");
  }
  mesh_.parts.push_back(part);
  mesh_.wires = std::move(triangles.wires);
  for (scene::Wire& wire : mesh_.wires) {
    wire.material = part.material;
  }
}

scene::Mat4 translation_matrix(const Vec3& by) {
  return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, turned(by[0]), turned(by[1]), turned(by[2]), 1};
}

void MeshBuilder::add_skin(SkinBinding binding) {
  scene::Skin skin;
  skin.name = mesh_.name;
  skin.joints = std::move(binding.nodes);
  skin.inverse_bind.reserve(skin.joints.size());
  for (const Index joint : skin.joints) {
    skin.inverse_bind.push_back(translation_matrix(builder_.pivots[joint]));
  }
  mesh_.influences = binding.influences;
  mesh_.joints = std::move(binding.joints);
  mesh_.weights = std::move(binding.weights);
  mesh_.skin = static_cast<Index>(builder_.scene.skins.size());
  builder_.scene.skins.push_back(std::move(skin));
}

void MeshBuilder::take_skin() {
  auto binding = bind_skin(builder_, geoset_);
  const bool grouped = !geoset_.vertex_groups.empty() || geoset_.skin || geoset_.wide_skin;
  if (binding.ragged && grouped) {
    const bool weighted =
        (geoset_.skin && !geoset_.skin->empty()) || (geoset_.wide_skin && !geoset_.wide_skin->empty());
    report(weighted ? "the number of skin weights differs from the number of "
                      "vertices; vertices without weights follow the root"
                    : "the numbers of vertex groups, matrix groups and vertices do not match; "
                      "vertices without a group follow the root");
  }
  if (binding.missing_nodes) {
    report("references of matrix groups or weights to nodes that do not exist ignored");
  }
  if (binding.without_group && grouped) {
    report("vertices without a matrix group follow the root");
  }
  if (binding.too_many) {
    report("more than " + std::to_string(kMaxInfluences) +
           " nodes move a vertex, or more than 65535 the geoset; the excess is ignored");
  }
  if (binding.not_normalized) {
    report("skin weights do not sum to 255; normalised");
  }
  if (binding.influences > 0) {
    add_skin(std::move(binding));
  }
}

void MeshBuilder::take_extras() {
  auto& extras = mesh_.extras;
  extras.set("selectionGroup", geoset_.selection_group);
  extras.set("selectionFlags", geoset_.selection_flags);
  if (builder_.document.version() >= 900) {
    extras.set("lod", std::int64_t{geoset_.lod});
    extras.set("lodName", to_value(geoset_.lod_name));
  }
  extras.set("extent", to_value(geoset_.extent));
  // Their number where all are the geoset's own, as in most models.
  const Value extent = to_value(geoset_.extent);
  Value::List extents;
  bool other = false;
  for (const auto& of_sequence : geoset_.sequence_extents) {
    extents.push_back(to_value(of_sequence));
    other = other || !(extents.back() == extent);
  }
  const auto count = static_cast<std::int64_t>(extents.size());
  extras.set("sequenceExtents", other ? Value(std::move(extents)) : Value(count));
}

void MeshBuilder::make(Index parent) {
  mesh_.name = to_utf8(geoset_.lod_name.view());
  if (mesh_.name.empty()) {
    mesh_.name = "Geoset " + std::to_string(place_.index);
  }
  take_positions();
  take_normals();
  take_tangents();
  take_uvs();
  take_faces();
  take_skin();
  take_extras();
  auto& scene = builder_.scene;
  mesh_.node = static_cast<Index>(scene.nodes.size());
  scene::Node node;
  node.name = mesh_.name;
  node.parent = parent;
  node.kind = scene::NodeKind::mesh;
  scene.nodes.push_back(std::move(node));
  builder_.pivots.push_back(Vec3{});
  scene.meshes.push_back(std::move(mesh_));
}

/// Nodes that geosets hang below: with several levels of detail one per level, the coarser ones as
/// Node::lods of the finest.
class Levels {
 public:
  explicit Levels(SceneBuilder& builder) {
    const auto levels = levels_of(builder.document);
    if (levels.size() < 2) {
      return;
    }
    auto& nodes = builder.scene.nodes;
    const auto finest = static_cast<Index>(nodes.size());
    for (const std::int32_t level : levels) {
      nodes_.emplace(level, static_cast<Index>(nodes.size()));
      scene::Node node;
      node.name = "LOD " + std::to_string(level);
      node.parent = nodes.size() == finest ? 0 : kNone;
      nodes.push_back(std::move(node));
      builder.pivots.push_back(Vec3{});
    }
    for (Index i = finest + 1; i < nodes.size(); ++i) {
      nodes[finest].lods.push_back(i);
    }
  }

  [[nodiscard]] Index parent_of(const Geoset& geoset) const {
    const auto found = nodes_.find(geoset.lod);
    return found == nodes_.end() ? 0 : found->second;
  }

 private:
  std::map<std::int32_t, Index> nodes_;
};

void apply(SceneBuilder& builder, const GeosetAnimation& animation, const ObjectRef& place) {
  const auto index = static_cast<Index>(animation.geoset_id);
  auto& mesh = builder.scene.meshes[index];
  const scene::Target target = {scene::Target::Kind::mesh, index, 0};
  mesh.alpha = finite_or(animation.alpha, 1);
  builder.bind_scalar(animation.tracks, FourCC{"KGAO"}, place, target, scene::Property::mesh_alpha,
                      mesh.alpha);
  if ((animation.flags & GeosetAnimation::kUseColor) != 0) {
    mesh.color = finite_or(animation.color, 1);
    builder.bind_color(animation.tracks, FourCC{"KGAC"}, place, target, scene::Property::mesh_color,
                       mesh.color);
  }
  Value extras;
  extras.set("index", static_cast<std::int64_t>(place.index));
  extras.set("flags", animation.flags);
  extras.set("dropShadow", (animation.flags & GeosetAnimation::kDropShadow) != 0);
  extras.set("color", to_value(animation.color));
  mesh.extras.set("geosetAnimation", std::move(extras));
}

}  // namespace

void build_meshes(SceneBuilder& builder) {
  const auto geosets = builder.document.all<Geosets>();
  const Levels levels(builder);
  builder.scene.meshes.reserve(geosets.size());
  for (std::size_t i = 0; i < geosets.size(); ++i) {
    MeshBuilder(builder, *geosets[i], i).make(levels.parent_of(*geosets[i]));
  }
}

/// Of several animations of one geoset the last one counts.
void build_geoset_animations(SceneBuilder& builder) {
  const auto animations = builder.document.all<GeosetAnimations>();
  std::vector<std::size_t> last(builder.scene.meshes.size(), animations.size());
  for (std::size_t i = 0; i < animations.size(); ++i) {
    const ObjectRef place = {FourCC{"GEOA"}, i};
    const std::int32_t id = animations[i]->geoset_id;
    if (id < 0 || static_cast<std::size_t>(id) >= last.size()) {
      builder.report(codes::kSceneReference, place,
                     "geoset " + std::to_string(id) + " does not exist; its animation is left out");
      continue;
    }
    auto& entry = last[static_cast<std::size_t>(id)];
    if (entry != animations.size()) {
      builder.report(codes::kSceneReference, place,
                     "geoset " + std::to_string(id) + " has a second animation; the last one is used");
    }
    entry = i;
  }
  for (const std::size_t i : last) {
    if (i != animations.size()) {
      apply(builder, *animations[i], {FourCC{"GEOA"}, i});
    }
  }
}

}  // namespace thaw::mdx
