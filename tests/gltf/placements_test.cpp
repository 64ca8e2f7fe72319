// Models placed in a scene, and forms of less detail.
#include "gltf/written.hpp"

#include <thaw/gltf.hpp>

#include "scene/math.hpp"
#include "scene/pose.hpp"

#include <set>

namespace thaw::test {
namespace {

/// A bone that lifts a skinned quad with a picture.
std::shared_ptr<const scene::Scene> lamp() {
  auto model = empty_scene();
  const auto bone = add_node(model, "bone", 0, {0, 5, 0});
  const auto picture = add_texture(model, "lamp", {{255, 0, 0, 255}, {0, 255, 0, 255}});
  const auto quad = add_quad(model, add_material(model, {layer(scene::BlendMode::opaque, picture)}));
  add_skin(model, quad, {bone});
  const auto hidden = add_quad(model);
  model.meshes[hidden].alpha = 0;
  return std::make_shared<const scene::Scene>(std::move(model));
}

/// Nodes that show a mesh, by the sum of the translations above them.
std::vector<Vec3> shown(const Written& written, int node, Vec3 at_parent = {}) {
  const Value& value = at(written.json, "nodes", node);
  if (has(value, "translation")) {
    for (int i = 0; i < 3; ++i) {
      at_parent[static_cast<std::size_t>(i)] += static_cast<float>(number(at(value, "translation", i)));
    }
  }
  std::vector<Vec3> result;
  if (has(value, "mesh")) {
    result.push_back(at_parent);
  }
  for (int i = 0; has(value, "children") && i < size_of(at(value, "children")); ++i) {
    const auto below = shown(written, static_cast<int>(number(at(value, "children", i))), at_parent);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

std::vector<Vec3> shown(const Written& written) {
  std::vector<Vec3> result;
  const Value& roots = at(written.json, "scenes", 0, "nodes");
  for (int i = 0; i < size_of(roots); ++i) {
    const auto below = shown(written, static_cast<int>(number(at(roots, i))));
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

TEST(GltfPlacement, ContentOnceNodesForEachPlace) {
  auto scene = empty_scene();
  scene.models.push_back(lamp());
  for (const float x : {1.0F, 2.0F, 3.0F}) {
    scene.placements.push_back({add_node(scene, "lamp post", 0, {x, 0, 0}), 0});
  }
  const Written written = write(scene);
  EXPECT_EQ(size_of(at(written.json, "meshes")), 2);  // the hidden one is there, but nothing shows it
  EXPECT_EQ(size_of(at(written.json, "images")), 1);
  EXPECT_FALSE(has(written.json, "skins"));
  EXPECT_THAT(shown(written), ::testing::ElementsAre(Vec3{1, 0, 0}, Vec3{2, 0, 0}, Vec3{3, 0, 0}));
  const Value& primitive = at(written.json, "meshes", 0, "primitives", 0);
  EXPECT_EQ(written.accessor(at(primitive, "attributes", "POSITION")).size(), 12U);
  EXPECT_FALSE(has(at(primitive, "attributes"), "JOINTS_0"));
  const Value& material = at(written.json, "materials", static_cast<int>(number(at(primitive, "material"))));
  const Image picture = written.picture(at(material, "pbrMetallicRoughness", "baseColorTexture", "index"));
  EXPECT_EQ(picture.rgba[0], 255);
}

/// Materials of models within are no materials of the scene that the file keeps: whoever reads it back does
/// not take one for the other.
TEST(GltfPlacement, MaterialsOfModelsWithinKeepTheirPictures) {
  auto scene = empty_scene();
  const auto stone = add_texture(scene, "stone", {{1, 2, 3, 255}, {4, 5, 6, 255}});
  add_quad(scene, add_material(scene, {layer(scene::BlendMode::opaque, stone)}));
  scene.models.push_back(lamp());
  scene.placements.push_back({add_node(scene, "lamp post"), 0});
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, {}, diagnostics);
  ASSERT_TRUE(files);
  GltfReadOptions options;
  options.kept_materials = true;
  for (const char* game : {"mdx", "m3", ""}) {
    options.names_of = game;
    const auto again = read_gltf(files->front().bytes, options, diagnostics);
    ASSERT_TRUE(again);
    const auto picture_of = [&](std::size_t mesh) {
      const auto& layers = again->materials.at(again->meshes.at(mesh).parts.at(0).material).layers;
      return again->textures.at(layers.at(0).texture).path;
    };
    EXPECT_NE(picture_of(0).find("stone"), std::string::npos) << game;
    EXPECT_NE(picture_of(1).find("lamp"), std::string::npos) << game;
  }
}

TEST(GltfPlacement, AdjacentMeshesOfTheSceneAndWithinModels) {
  auto street = empty_scene();
  street.models.push_back(lamp());
  street.placements.push_back({add_node(street, "corner", 0, {0, 0, 10}), 0});
  auto scene = empty_scene();
  const auto picture = add_texture(scene, "ground", {{1, 2, 3, 255}, {4, 5, 6, 255}});
  add_quad(scene, add_material(scene, {layer(scene::BlendMode::opaque, picture)}));
  scene.models = {lamp(), std::make_shared<const scene::Scene>(std::move(street))};
  scene.placements = {{add_node(scene, "north", 0, {0, 0, 1}), 1},
                      {add_node(scene, "south", 0, {0, 0, -1}), 0}};
  const Written written = write(scene);
  EXPECT_THAT(shown(written), ::testing::UnorderedElementsAre(Vec3{0, 0, 0}, Vec3{0, 0, 11}, Vec3{0, 0, -1}));
  EXPECT_EQ(size_of(at(written.json, "images")), 3);
}

/// Where the corners of all meshes are, in order.
std::vector<Vec3> corners(const scene::Scene& scene) {
  const auto world = scene::Poser(scene, nullptr).world_matrices(0);
  std::vector<Vec3> result;
  for (const auto& mesh : scene.meshes) {
    for (const Vec3& position : mesh.positions) {
      const auto at = scene::transform_point(world.at(mesh.node), scene::widen(position));
      result.push_back({static_cast<float>(std::round(at[0] * 1e3) / 1e3),
                        static_cast<float>(std::round(at[1] * 1e3) / 1e3),
                        static_cast<float>(std::round(at[2] * 1e3) / 1e3)});
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The document with instances, after it was read beside the one without.
Written instanced(const scene::Scene& scene) {
  GltfOptions options;
  const auto plain = read_gltf(write_gltf(scene, options)->front().bytes, {});
  options.instances = true;
  const auto bytes = write_gltf(scene, options)->front().bytes;
  const auto read = read_gltf(bytes, {});
  EXPECT_TRUE(plain && read);
  EXPECT_EQ(corners(*plain), corners(*read));
  return write(scene, options);
}

/// A quad at its own place within the model.
std::shared_ptr<const scene::Scene> sign(const Vec4& rotation) {
  auto model = empty_scene();
  model.nodes[model.meshes[add_quad(model)].node].rest = {{1, 2, 3}, rotation, {1, 2, 1}};
  return std::make_shared<const scene::Scene>(std::move(model));
}

/// Three signs, turned and scaled, below one node and one more below another.
scene::Scene street() {
  auto scene = empty_scene();
  scene.models.push_back(sign({0, 0, 0.70710678F, 0.70710678F}));
  const auto yard = add_node(scene, "yard", 0, {0, 0, 7});
  for (const float x : {1.0F, 2.0F, 3.0F}) {
    const auto post = add_node(scene, "lamp post", 0, {x, 0, 0});
    scene.nodes[post].rest.rotation = {0, 0.70710678F, 0, 0.70710678F};
    scene.nodes[post].rest.scale = {x, x, x};
    scene.placements.push_back({post, 0});
  }
  scene.placements.push_back({add_node(scene, "lamp post", yard), 0});
  return scene;
}

int instances_in(const Written& written) {
  int count = 0;
  for (int i = 0; i < size_of(at(written.json, "nodes")); ++i) {
    count += has(at(written.json, "nodes", i), "extensions") ? 1 : 0;
  }
  return count;
}

TEST(GltfPlacement, InstancesBelowOneNodeAreOneNode) {
  const auto scene = street();
  const Written written = instanced(scene);
  EXPECT_EQ(text(at(written.json, "extensionsRequired", 0)), "EXT_mesh_gpu_instancing");
  ASSERT_EQ(instances_in(written), 1);
  for (int i = 0; i < size_of(at(written.json, "nodes")); ++i) {
    const Value& node = at(written.json, "nodes", i);
    if (has(node, "extensions")) {
      const Value& attributes = at(node, "extensions", "EXT_mesh_gpu_instancing", "attributes");
      EXPECT_EQ(written.accessor(at(attributes, "TRANSLATION")).size(), 9U);
      EXPECT_EQ(written.accessor(at(attributes, "ROTATION")).size(), 12U);
      EXPECT_EQ(written.accessor(at(attributes, "SCALE")).size(), 9U);
    }
  }
}

TEST(GltfPlacement, ShearedAndMovingPlacesAreNodes) {
  auto sheared = street();
  sheared.models[0] = sign({0, 0, 0.38268343F, 0.92387953F});
  sheared.nodes[sheared.placements[1].node].rest.scale = {1, 4, 1};
  EXPECT_EQ(instances_in(instanced(sheared)), 0);
  auto moving = street();
  auto& clip = moving.clips.emplace_back();
  clip.name = "swing";
  clip.duration = 1;
  scene::Channel channel;
  channel.target = {scene::Target::Kind::node, moving.placements[2].node, 0};
  channel.property = scene::Property::translation;
  channel.curve.components = 3;
  channel.curve.times = {0, 1};
  channel.curve.values = {3, 0, 0, 3, 9, 0};
  clip.channels.push_back(std::move(channel));
  EXPECT_EQ(instances_in(instanced(moving)), 0);
}

TEST(GltfPlacement, InstancesWithinModelsThatStandTwice) {
  auto scene = empty_scene();
  scene.models.push_back(std::make_shared<const scene::Scene>(street()));
  scene.placements = {{add_node(scene, "north", 0, {0, 0, 40}), 0},
                      {add_node(scene, "south", 0, {0, 0, -40}), 0}};
  EXPECT_EQ(instances_in(instanced(scene)), 2);
}

TEST(GltfPlacement, WhatIsNotThereIsReported) {
  auto scene = empty_scene();
  scene.placements = {{0, 3}, {99, 0}};
  scene.models = {nullptr};
  const Written written = write(scene);
  EXPECT_EQ(written.diagnostics.count(Severity::warning), 2U);
}

TEST(GltfPlacement, DeepModelsDoNotExhaustTheStack) {
  auto model = empty_scene();
  scene::Index last = 0;
  for (int i = 0; i < 30000; ++i) {
    last = add_node(model, "n", last);
  }
  add_quad(model);
  model.meshes[0].node = last;
  auto scene = empty_scene();
  scene.models.push_back(std::make_shared<const scene::Scene>(std::move(model)));
  scene.placements.push_back({0, 0});
  // Not left for other validators, whose stacks it would exhaust.
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, {}, diagnostics);
  ASSERT_TRUE(files);
  EXPECT_GT(files->front().bytes.size(), 30000U);
}

TEST(GltfLod, StandsAdjacentTheHierarchy) {
  auto scene = empty_scene();
  const auto near = add_quad(scene);
  const auto far = add_quad(scene);
  const auto far_node = scene.meshes[far].node;
  scene.nodes[far_node].parent = scene::kNone;
  scene.nodes[scene.meshes[near].node].lods = {far_node};
  scene.nodes[scene.meshes[near].node].lod_coverage = {0.5F, 0.1F};
  const Written written = write(scene);
  const Value& node = at(written.json, "nodes", static_cast<int>(scene.meshes[near].node));
  EXPECT_EQ(number(at(node, "extensions", "MSFT_lod", "ids", 0)), far_node);
  EXPECT_EQ(size_of(at(node, "extras", "MSFT_screencoverage")), 2);
  EXPECT_EQ(shown(written).size(), 1U);
  EXPECT_EQ(text(at(written.json, "extensionsUsed", 0)), "MSFT_lod");
}

/// The nodes of a document that a viewer without extensions draws.
std::set<int> drawn(const Written& written) {
  std::set<int> seen;
  std::vector<int> open;
  const Value& roots = at(written.json, "scenes", 0, "nodes");
  for (int i = 0; i < size_of(roots); ++i) {
    open.push_back(static_cast<int>(number(at(roots, i))));
  }
  while (!open.empty()) {
    const Value& node = at(written.json, "nodes", open.back());
    if (has(node, "mesh")) {
      seen.insert(open.back());
    }
    open.pop_back();
    for (int i = 0; has(node, "children") && i < size_of(at(node, "children")); ++i) {
      open.push_back(static_cast<int>(number(at(node, "children", i))));
    }
  }
  return seen;
}

/// Skinned meshes stand at the top whatever holds them, and are still what their level is.
TEST(GltfLod, SkinnedMeshesBelowTheNodesOfLevels) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  const auto fine = add_node(scene, "LOD 0");
  const auto coarse = add_node(scene, "LOD 1", scene::kNone);
  const auto coarsest = add_node(scene, "LOD 2", scene::kNone);
  scene.nodes[fine].lods = {coarse, coarsest};
  for (const auto level : {fine, coarse, coarse, coarsest, scene::Index{0}}) {
    const auto mesh = add_quad(scene);
    scene.nodes[scene.meshes[mesh].node].parent = level;
    add_skin(scene, mesh, {bone});
  }
  const Written written = write(scene);
  const auto seen = drawn(written);
  EXPECT_EQ(seen.size(), 2U) << "the finest, and what has no levels";
  std::set<int> coarser;
  std::size_t owners = 0;
  const Value& nodes = at(written.json, "nodes");
  for (int i = 0; i < size_of(nodes); ++i) {
    if (!has(at(nodes, i), "extensions")) {
      continue;
    }
    ++owners;
    const Value& ids = at(nodes, i, "extensions", "MSFT_lod", "ids");
    ASSERT_EQ(size_of(ids), 2) << "one of each level";
    for (int level = 0; level < 2; ++level) {
      const int id = static_cast<int>(number(at(ids, level)));
      if (has(at(nodes, id), "mesh")) {
        EXPECT_TRUE(coarser.insert(id).second);
        EXPECT_EQ(seen.count(id), 0U);
      }
    }
  }
  EXPECT_EQ(owners, 2U) << "the second coarse one belongs to an empty node";
  EXPECT_EQ(coarser.size(), 3U);
}

}  // namespace
}  // namespace thaw::test
