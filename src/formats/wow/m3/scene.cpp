// A document as a scene (m3.md#conversion).
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/wow/m3/scene_geometry.hpp"
#include "formats/wow/m3/source_model.hpp"
#include "scene/bounds.hpp"
#include "scene/weights.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

using scene::Index;
using scene::kNone;

class Builder {
 public:
  Builder(const Document& document, std::string_view name, const SceneOptions& options,
          Diagnostics& diagnostics)
      : document_(document), options_(options), diagnostics_(diagnostics) {
    scene_.name = std::string(name);
    scene_.source_format = "m3";
  }

  scene::Scene make() {
    add_header();
    add_root();
    if (const auto* materials = document_.find<Materials>()) {
      add_materials(*materials, options_, scene_, diagnostics_);
    }
    if (const Mesh* mesh = document_.find<Mesh>()) {
      add_mesh(*mesh);
    }
    if (const auto* collision = document_.find<Collision>(); collision != nullptr && options_.collision) {
      add_collision(*collision);
    }
    set_bounds();
    keep_model(document_, scene_);
    return std::move(scene_);
  }

 private:
  void add_header() {
    const auto* header = document_.find<ModelHeader>();
    if (header == nullptr) {
      return;
    }
    Value value;
    value.set("version", header->properties.version);
    value.set("flags", std::int64_t{header->flags});
    value.set("particleCount", std::int64_t{header->particle_count});
    scene_.extras.set("header", std::move(value));
  }

  void add_root() {
    scene::Node root;
    root.name = scene_.name.empty() ? "model" : scene_.name;
    root.kind = scene::NodeKind::root;
    if (const auto* stored = document_.find<ModelTransform>(); stored != nullptr) {
      place(stored->matrix);
    }
    root.rest = transform_;
    scene_.nodes.push_back(std::move(root));
  }

  /// M3XF: its translation, rotation and scale. Nobody has seen one that is not the identity.
  void place(const std::array<float, 16>& matrix) {
    if (matrix == ModelTransform().matrix) {
      return;
    }
    const auto list = [&] {
      Value::List numbers;
      for (const float number : matrix) {
        numbers.emplace_back(number);
      }
      return numbers;
    };
    scene_.extras.set("transform", list());
    const scene::Mat4d wide = turned_matrix(matrix, options_.scale);
    if (!std::all_of(wide.begin(), wide.end(), [](double number) { return std::isfinite(number); })) {
      diagnostics_.add(codes::kSceneApproximated, "the model's transform is not finite; left out", {},
                       "M3XF");
      return;
    }
    transform_ = scene::decompose(wide);
    const scene::Mat4d again = scene::compose(transform_);
    double off = 0;
    for (std::size_t i = 0; i < again.size(); ++i) {
      off = std::max(off, std::fabs(again[i] - wide[i]));
    }
    diagnostics_.add(
        codes::kUnproven,
        "the model's transform is applied, which no published file confirms; please share the file", {},
        "M3XF");
    if (off > 1e-4) {
      diagnostics_.add(codes::kSceneApproximated,
                       "shear of the model's transform left out of the scene; stored in extras", {}, "M3XF");
    }
  }

  void add_mesh(const Mesh& mesh) {
    const Streams streams(mesh, options_.scale, diagnostics_);
    if (streams.positions().empty()) {
      diagnostics_.add(codes::kSceneGeoset, "mesh without positions left out", {}, "MES3");
      return;
    }
    const auto* geosets = mesh.find<Geosets>(FourCC{"VGEO"});
    if (geosets == nullptr) {
      diagnostics_.add(codes::kSceneGeoset, "mesh without geosets left out", {}, "MES3");
      return;
    }
    keep_streams(mesh);
    const Rig rig = add_rig(mesh);
    const LevelLayout levels = level_layout(mesh);
    if (levels.rest > 0) {
      diagnostics_.add(codes::kSceneGeoset, counted(levels.rest, "geoset") + " outside all levels left out",
                       {}, "MES3.VGEO");
    }
    GeosetBuilder builder(mesh, streams, rig, diagnostics_);
    const std::size_t first = std::min<std::size_t>(options_.lod.value_or(0), levels.levels - 1);
    if (options_.lod && first != *options_.lod) {
      diagnostics_.add(codes::kSceneApproximated, "level " + std::to_string(*options_.lod) +
                                                      " does not exist; the coarsest, " +
                                                      std::to_string(first) + ", is used");
    }
    const std::size_t end = options_.lod ? first + 1 : levels.levels;
    for (std::size_t i = 0; i < levels.per_level; ++i) {
      add_geoset(builder, geosets->items, i + first * levels.per_level, levels.per_level,
                 end * levels.per_level);
    }
    scene_.extras.set("levels", static_cast<std::int64_t>(levels.levels));
  }

  /// A geoset, and the same of the coarser levels as forms of its node.
  void add_geoset(GeosetBuilder& builder, const std::vector<Geoset>& geosets, std::size_t index,
                  std::size_t step, std::size_t end) {
    const Index finest = add_one(builder, geosets, index, 0);
    for (std::size_t coarser = index + step; coarser < std::min(end, geosets.size()); coarser += step) {
      const Index node = add_one(builder, geosets, coarser, finest == kNone ? 0 : kNone);
      if (node != kNone && finest != kNone) {
        scene_.nodes[finest].lods.push_back(node);
      }
    }
  }

  Index add_one(GeosetBuilder& builder, const std::vector<Geoset>& geosets, std::size_t index, Index parent) {
    // Real models have some twenty; a mesh with its node takes far more memory than its record.
    constexpr std::size_t kMaxMeshes = 16384;
    auto mesh = scene_.meshes.size() < kMaxMeshes ? builder.make(geosets[index], index) : std::nullopt;
    if (!mesh) {
      return kNone;
    }
    scene::Node node;
    node.name = mesh->name;
    node.kind = scene::NodeKind::mesh;
    node.parent = parent;
    node.rest = parent == kNone ? transform_ : scene::Transform();
    mesh->node = static_cast<Index>(scene_.nodes.size());
    if (mesh->parts.front().material >= scene_.materials.size()) {
      if (mesh->parts.front().material != kNone) {
        diagnostics_.add(codes::kSceneReference, "the material does not exist; the mesh has none instead", {},
                         mesh->name);
      }
      mesh->parts.front().material = kNone;
    }
    settle_skin(*mesh);
    scene_.nodes.push_back(std::move(node));
    scene_.meshes.push_back(std::move(*mesh));
    return scene_.meshes.back().node;
  }

  void settle_skin(scene::Mesh& mesh) {
    const std::size_t joints = mesh.skin == kNone ? 0 : scene_.skins[mesh.skin].joints.size();
    const std::size_t changed = joints > 0 ? scene::settle_weights(mesh, joints) : 0;
    if (changed > 0) {
      diagnostics_.add(codes::kSceneGeoset,
                       "missing bones or invalid weights removed from " + counted(changed, "vertex"), {},
                       mesh.name);
    }
  }

  /// Bones without a hierarchy: the format has none (m3.md#weights).
  Rig add_rig(const Mesh& mesh) {
    auto weights = influences(mesh);
    const auto poses = inverse_bind_poses(mesh);
    if (!weights || !poses || poses->empty()) {
      return {};
    }
    scene::Skin& skin = scene_.skins.emplace_back();
    skin.name = "bones";
    std::size_t sheared = 0;
    for (const auto& pose : *poses) {
      scene::Mat4d inverse_bind = turned_matrix(pose, options_.scale);
      scene::Node bone;
      bone.name = "bone " + std::to_string(skin.joints.size());
      bone.kind = scene::NodeKind::bone;
      bone.parent = 0;
      bone.rest = scene::decompose(scene::inverse(inverse_bind));
      if (const auto placed = scene::compose(bone.rest); !undoes(inverse_bind, placed)) {
        inverse_bind = scene::inverse(placed);  // vertices stand at rest as they are stored
        ++sheared;
      }
      skin.joints.push_back(static_cast<Index>(scene_.nodes.size()));
      skin.inverse_bind.push_back(scene::narrow(inverse_bind));
      scene_.nodes.push_back(std::move(bone));
    }
    if (sheared > 0) {
      diagnostics_.add(codes::kSceneApproximated,
                       counted(sheared, "bind pose") + " with shear or without an inverse approximated", {},
                       "MES3.VIBP");
    }
    diagnostics_.add(
        codes::kUnproven,
        "bones are placed by their bind poses, because the file has no parents; please share the file", {},
        "MES3.VIBP");
    return {0, std::move(*weights)};
  }

  /// What no vertex attribute of a scene can hold: second colours, and weights without bones.
  void keep_streams(const Mesh& mesh) {
    Value streams;
    const auto keep = [&](FourCC tag, const Value& formats, ByteView bytes) {
      std::string text;
      append_hex(text, bytes);
      Value stream = formats;
      stream.set("data", std::move(text));
      streams.set(tag.text(), std::move(stream));
    };
    const bool skinned = influences(mesh) && inverse_bind_poses(mesh);
    for (const auto& chunk : mesh.chunks) {
      Value formats;
      if (const auto* weights = std::get_if<Weights>(&chunk.body); weights != nullptr && !skinned) {
        constexpr std::array<std::string_view, 3> kLayouts = {"unknown", "interleaved", "planar"};
        formats.set("indexFormat", weights->properties.index_format.text());
        formats.set("weightFormat", weights->properties.weight_format.text());
        formats.set("layout", kLayouts.at(static_cast<std::size_t>(weights->layout)));
        keep(chunk.tag, formats, weights->data.empty() ? chunk.remainder.bytes : weights->data);
      } else if (const auto* buffer = std::get_if<Buffer>(&chunk.body);
                 buffer != nullptr &&
                 (chunk.tag == FourCC{"VCL1"} || (chunk.tag == FourCC{"VIBP"} && !skinned))) {
        formats.set("format", buffer->properties.format.text());
        keep(chunk.tag, formats, element_bytes(*buffer));
      }
    }
    if (!streams.is_null()) {
      scene_.extras.set("streams", std::move(streams));
    }
  }

  void add_collision(const Collision& collision) {
    auto mesh = collision_mesh(collision, options_.scale, diagnostics_);
    if (!mesh) {
      return;
    }
    scene::Node node;
    node.name = mesh->name;
    node.kind = scene::NodeKind::mesh;
    node.parent = 0;
    mesh->node = static_cast<Index>(scene_.nodes.size());
    scene_.nodes.push_back(std::move(node));
    scene_.meshes.push_back(std::move(*mesh));
  }

  /// From the header, else from the vertices.
  void set_bounds() {
    const auto* header = document_.find<ModelHeader>();
    if (header == nullptr) {
      scene_.bounds = scene::bounds_of_meshes(scene_);
    } else {
      const Vec3 low = turned(header->box.minimum, options_.scale);
      const Vec3 high = turned(header->box.maximum, options_.scale);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        scene_.bounds.minimum.at(axis) = std::min(low.at(axis), high.at(axis));
        scene_.bounds.maximum.at(axis) = std::max(low.at(axis), high.at(axis));
      }
      scene_.bounds.radius = std::isfinite(header->radius) ? header->radius * options_.scale : 0;
    }
  }

  const Document& document_;
  const SceneOptions& options_;
  Diagnostics& diagnostics_;
  scene::Scene scene_;
  scene::Transform transform_;
};

}  // namespace

scene::Mat4d turned_matrix(const std::array<float, 16>& matrix, float scale) {
  // Row vectors with their translation in 12 to 14 are the columns of a matrix for column vectors. With
  // C = (x, z, -y): the result is C M C^-1, its translation in metres.
  constexpr std::array<std::size_t, 3> kFrom = {0, 2, 1};
  constexpr std::array<double, 3> kSign = {1, 1, -1};
  scene::Mat4d result = scene::kIdentity;
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      result[column * 4 + row] =
          double{matrix[kFrom.at(column) * 4 + kFrom.at(row)]} * kSign.at(row) * kSign.at(column);
    }
  }
  for (std::size_t row = 0; row < 3; ++row) {
    result[12 + row] = double{matrix[12 + kFrom.at(row)]} * kSign.at(row) * double{scale};
  }
  return result;
}

scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                      Diagnostics& diagnostics) {
  return Builder(document, name, options, diagnostics).make();
}

}  // namespace thaw::m3
