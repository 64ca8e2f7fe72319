#include "gltf/scene_reader.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "gltf/document.hpp"
#include "gltf/extras_description.hpp"
#include "gltf/part_source.hpp"
#include "scene/front.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::gltf {

using scene::Index;
using scene::kNone;

namespace {

scene::Transform rest_of(const Value& node) {
  scene::Transform rest;
  scene::Mat4 matrix{};
  if (numbers(&node, "matrix", matrix)) {
    scene::Mat4d wide{};
    std::copy(matrix.begin(), matrix.end(), wide.begin());
    return scene::decompose(wide);
  }
  numbers(&node, "translation", rest.translation);
  numbers(&node, "rotation", rest.rotation);
  numbers(&node, "scale", rest.scale);
  rest.rotation = scene::narrow(scene::normalized(scene::widen(rest.rotation)));
  return rest;
}

/// The topmost nodes of the default scene, or of the file if it has none.
std::vector<Index> roots(const Input& input) {
  std::vector<Index> result;
  const Index chosen = index(&input.json(), "scene");
  const Value* scene = input.item("scenes", chosen == kNone ? 0 : chosen);
  for (const Value& node : list(scene, "nodes")) {
    result.push_back(index_of(node));
  }
  if (!result.empty()) {
    return result;
  }
  const std::size_t count = input.count("nodes");
  std::vector<bool> child(count);
  for (Index i = 0; i < count; ++i) {
    for (const Value& below : list(input.item("nodes", i), "children")) {
      if (const Index at = index_of(below); at < count) {
        child[at] = true;
      }
    }
  }
  for (Index i = 0; i < count; ++i) {
    if (!child[i]) {
      result.push_back(i);
    }
  }
  return result;
}

/// The transform of a picture may name another set than its use.
unsigned uv_set_of(const Value* use) {
  constexpr Index kMostSets = 7;
  const Index stated = index(use, "texCoord");
  const Index moved = index(member(member(use, "extensions"), "KHR_texture_transform"), "texCoord");
  const Index set = moved == kNone ? stated : moved;
  return set == kNone ? 0 : std::min(set, kMostSets);
}

}  // namespace

/// A node that is met again, by a loop or by two parents, stays where it was first.
void SceneReader::add_node(Index source, Index parent) {
  const Value* node = input_.item("nodes", source);
  if (node == nullptr || node_of_[source] != kNone) {
    return;
  }
  node_of_[source] = static_cast<Index>(scene_.nodes.size());
  scene::Node& added = scene_.nodes.emplace_back();
  added.name = text(node, "name");
  added.parent = parent;
  added.rest = rest_of(*node);
  added.kind = index(node, "mesh") != kNone ? scene::NodeKind::mesh : scene::NodeKind::helper;
  take_extras(node, "node", added);
}

/// Nodes that no other holds, and that this one names as coarser forms of itself.
void SceneReader::read_lods(Index source, std::vector<Index>& open) {
  const Value* levels = member(member(input_.item("nodes", source), "extensions"), "MSFT_lod");
  for (const Value& id : list(levels, "ids")) {
    const Index lod = index_of(id);
    if (lod < node_of_.size() && node_of_[lod] == kNone && input_.item("nodes", lod) != nullptr) {
      add_node(lod, kNone);
      open.push_back(lod);
      scene_.nodes[node_of_[source]].lods.push_back(node_of_[lod]);
    }
  }
}

void SceneReader::read_nodes() {
  node_of_.assign(input_.count("nodes"), kNone);
  std::vector<Index> open;
  for (const Index root : roots(input_)) {
    if (root < node_of_.size() && node_of_[root] == kNone) {
      add_node(root, kNone);
      open.push_back(root);
    }
  }
  // In breadth, so that parents come before children however deep it goes.
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i] >= node_of_.size() || node_of_[open[i]] == kNone) {
      continue;
    }
    read_lods(open[i], open);
    for (const Value& child : list(input_.item("nodes", open[i]), "children")) {
      const Index source = index_of(child);
      if (source < node_of_.size() && node_of_[source] == kNone) {
        add_node(source, node_of_[open[i]]);
        open.push_back(source);
      }
    }
  }
}

/// Joints that are not there become the first node, so that the others keep their places.
void SceneReader::read_joints(const Value* source, scene::Skin& skin) {
  std::size_t missing = 0;
  for (const Value& joint : list(source, "joints")) {
    const Index at = index_of(joint);
    const Index node = at < node_of_.size() ? node_of_[at] : kNone;
    missing += node == kNone ? 1 : 0;
    skin.joints.push_back(node == kNone ? 0 : node);
    scene_.nodes[skin.joints.back()].kind = scene::NodeKind::bone;
  }
  if (missing > 0 || skin.joints.empty()) {
    diagnostics_.add(codes::kGltfReference,
                     skin.joints.empty()
                         ? "the skin lists no joints; the first node is used"
                         : "missing joints replaced with the first node: " + std::to_string(missing),
                     {}, "skins." + skin.name);
  }
  skin.joints.resize(std::max<std::size_t>(1, skin.joints.size()), 0);
}

void SceneReader::read_skins() {
  for (Index i = 0; !scene_.nodes.empty() && i < input_.count("skins"); ++i) {
    const Value* source = input_.item("skins", i);
    scene::Skin& skin = scene_.skins.emplace_back();
    skin.name = text(source, "name");
    read_joints(source, skin);
    scene::Mat4 identity{};
    std::copy(scene::kIdentity.begin(), scene::kIdentity.end(), identity.begin());
    skin.inverse_bind.assign(skin.joints.size(), identity);
    const Index accessor = index(source, "inverseBindMatrices");
    if (accessor == kNone) {
      continue;
    }
    const auto matrices = input_.floats(accessor);
    const std::string path = "skins[" + std::to_string(i) + "]";
    if (!matrices) {
      refuse(matrices.error(), path);
      continue;
    }
    if (matrices->components != 16) {
      report({codes::kGltfReference,
              {},
              {},
              "inverse bind matrices are not of type MAT4; the identity is used instead"},
             path);
      continue;
    }
    for (std::size_t m = 0; m < std::min(matrices->count, skin.joints.size()); ++m) {
      std::copy_n(matrices->values.begin() + static_cast<std::ptrdiff_t>(m * 16), 16,
                  skin.inverse_bind[m].begin());
    }
  }
}

void SceneReader::read_materials() {
  // One texture of the scene for each picture: its name is what games have paths for.
  for (Index i = 0; i < input_.count("images"); ++i) {
    const Value* image = input_.item("images", i);
    const std::string uri = text(image, "uri");
    scene::Texture& texture = scene_.textures.emplace_back();
    texture.path = uri.empty() || uri.substr(0, 5) == "data:" ? text(image, "name") : percent_decoded(uri);
    texture.content = input_.picture(i);
  }
  for (Index i = 0; i < input_.count("materials"); ++i) {
    const Value* source = input_.item("materials", i);
    const Value* surface = member(source, "pbrMetallicRoughness");
    scene::Material& material = scene_.materials.emplace_back();
    material.name = text(source, "name");
    scene::Layer& layer = material.layers.emplace_back();
    const Value* picture = member(surface, "baseColorTexture");
    layer.texture = picture_of(picture);
    layer.uv_set = uv_set_of(picture);
    const std::string mode = text(source, "alphaMode");
    std::array<float, 4> factor{1, 1, 1, 1};
    numbers(surface, "baseColorFactor", factor);
    layer.alpha = mode == "MASK" || mode == "BLEND" ? factor[3] : 1;  // else it says nothing
    layer.blend = mode == "MASK"    ? scene::BlendMode::mask
                  : mode == "BLEND" ? scene::BlendMode::blend
                                    : scene::BlendMode::opaque;
    const Value* two_sided = member(source, "doubleSided");
    layer.two_sided = two_sided != nullptr && *two_sided == Value(true);
    layer.unshaded = member(member(source, "extensions"), "KHR_materials_unlit") != nullptr;
    take_extras(source, "material", material);
    const bool written = shows_written(source);
    if (input_.reads_surfaces() && !(input_.keeps_materials() && written)) {
      read_surface(*source, material);
    } else if (member(member(picture, "extensions"), "KHR_texture_transform") != nullptr && !written) {
      diagnostics_.add(codes::kGltfUnsupported,
                       "texture transform left out; it is read with GltfReadOptions::surfaces only", {},
                       "materials[" + std::to_string(i) + "]");
    }
  }
}

/// A scene that shows nothing of a file's meshes is not what anybody requested.
void SceneReader::refuse_empty() {
  const bool shows = std::any_of(scene_.meshes.begin(), scene_.meshes.end(), [](const scene::Mesh& mesh) {
    return !mesh.indices.empty() || !mesh.wires.empty();
  });
  const auto& meshes = list(&input_.json(), "meshes");
  const bool has = std::any_of(meshes.begin(), meshes.end(),
                               [](const Value& mesh) { return !list(&mesh, "primitives").empty(); });
  if (has && !shows) {
    refuse({codes::kGltfReference,
            {},
            {},
            scene_.meshes.empty() ? "the scene uses none of the file's " + counted(meshes.size(), "mesh")
                                  : "none of the file's meshes has a complete triangle, line or point"},
           "meshes");
  }
}

/// GltfReadOptions::front.
void SceneReader::face_front() {
  constexpr double kHalf = 0.70710678118654752;  // of a quarter turn
  scene_.axes =
      *front_ == GltfAxis::x || *front_ == GltfAxis::minus_x ? scene::Axes::x_right : scene::Axes::x_front;
  switch (*front_) {
    case GltfAxis::x:
    case GltfAxis::z:
      return;
    case GltfAxis::minus_x:
    case GltfAxis::minus_z:
      return scene::turn(scene_, {0, 1, 0, 0});
    case GltfAxis::y:
      return scene::turn(scene_, {kHalf, 0, 0, kHalf});
    case GltfAxis::minus_y:
      return scene::turn(scene_, {-kHalf, 0, 0, kHalf});
  }
}

void SceneReader::read_source(const Value* from, const Value& options) {
  take_extras(from, "", scene_);
  const Value& stated = thaw_extras(from);
  scene::SceneSource& source = scene_.source;
  for (const Value& texture : stated["textures"].list()) {
    source.textures.push_back({texture["path"].text(), texture["placeholder"] == Value(true)});
  }
  source.materials = stated["materials"].list().size();
  WrittenGltf written;
  FieldReader fields(options);
  describe(fields, written);
  const float scale = sound_scale(scene_.extras["scale"]);
  source.scale = scale > 0 ? scale : sound_scale(written.scale);
  source.stated = source.stated || !options.is_null();
  written.options.profile = stated.find("file") == nullptr ? GltfProfile::compat : GltfProfile::blender;
  source.written = std::make_shared<const WrittenGltf>(std::move(written));
}

Result<scene::Scene> SceneReader::read() {
  const Index chosen = index(&input_.json(), "scene");
  const Value* source = input_.item("scenes", chosen == kNone ? 0 : chosen);
  scene_.name = text(source, "name");
  scene_.source_format = "gltf";
  const Value& file = thaw_extras(member(&input_.json(), "asset"));
  const std::string& front = (file.is_null() ? thaw_extras(source)["file"] : file)["front"].text();
  scene_.axes = front == "+X" ? scene::Axes::x_right : scene::Axes::x_front;
  read_source(source, file["options"]);
  read_nodes();
  read_skins();
  read_materials();
  read_meshes();
  read_animations();
  read_extras(source);
  if (front_) {
    face_front();
  }
  if (input_.reads_surfaces()) {
    read_lights();
    read_cameras();
  }
  report_unread();
  if (!refused_ && input_.reads_surfaces()) {
    refuse_empty();
  }
  if (refused_ && !is_stopped(control_)) {
    return tl::unexpected<Error>(std::move(*refused_));
  }
  return is_stopped(control_) ? fail(codes::kStopped, "") : Result<scene::Scene>(std::move(scene_));
}

}  // namespace thaw::gltf

namespace thaw {

Result<scene::Scene> read_gltf(ByteView bytes, const GltfReadOptions& options, Diagnostics& diagnostics) {
  auto input = gltf::Input::open(bytes, options, diagnostics);
  if (!input) {
    return tl::unexpected<Error>(std::move(input.error()));
  }
  if (!proceed(options.control, "bytes", 0, bytes.size())) {
    return fail(codes::kStopped, "");
  }
  return gltf::SceneReader(*input, options, diagnostics).read();
}

}  // namespace thaw
