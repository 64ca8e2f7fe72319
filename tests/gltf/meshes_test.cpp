// Geometry, skins and the hierarchy.
#include <thaw/gltf.hpp>

#include "gltf/written.hpp"

#include <cmath>
#include <map>

namespace thaw::test {
namespace {

const Value& primitive(const Written& written, int mesh = 0, int index = 0) {
  return at(written.json, "meshes", mesh, "primitives", index);
}

std::vector<double> attribute(const Written& written, std::string_view name) {
  return written.accessor(at(primitive(written), "attributes", name));
}

TEST(GltfNodes, HierarchyKeepsIndicesAndPlaces) {
  auto scene = empty_scene();
  const auto hip = add_node(scene, "hip", 0, {0, 1, 0});
  const auto knee = add_node(scene, "knee", hip, {0, -0.5F, 0});
  scene.nodes[knee].rest.rotation = {0, 0, 2, 2};
  const Written written = write(scene);
  EXPECT_EQ(text(at(written.json, "nodes", 2, "name")), "knee");
  EXPECT_EQ(number(at(written.json, "nodes", 1, "children", 0)), 2);
  EXPECT_EQ(number(at(written.json, "nodes", 1, "translation", 1)), 1);
  EXPECT_NEAR(number(at(written.json, "nodes", 2, "rotation", 2)), std::sqrt(0.5), 1e-7);
  EXPECT_FALSE(has(at(written.json, "nodes", 1), "scale"));
  ASSERT_EQ(size_of(at(written.json, "scenes", 0, "nodes")), 1);
  EXPECT_EQ(number(at(written.json, "scenes", 0, "nodes", 0)), 0);
}

TEST(GltfNodes, SeveralRootsGetOneAbove) {
  auto scene = empty_scene();
  add_node(scene, "other", scene::kNone);
  const Written written = write(scene);
  EXPECT_EQ(size_of(at(written.json, "scenes", 0, "nodes")), 1);
  EXPECT_EQ(number(at(written.json, "scenes", 0, "nodes", 0)), 2);
  EXPECT_EQ(size_of(at(written.json, "nodes", 2, "children")), 2);
}

TEST(GltfSkin, MeshAtTheTopSkeletonAboveJoints) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone", 0, {1, 0, 0});
  const auto quad = add_quad(scene);
  add_skin(scene, quad, {bone});
  const Written written = write(scene);
  const int node = static_cast<int>(scene.meshes[quad].node);
  EXPECT_EQ(number(at(written.json, "nodes", node, "skin")), 0);
  // A root of the glTF scene, and no child of anything.
  EXPECT_EQ(number(at(written.json, "scenes", 0, "nodes", 1)), node);
  EXPECT_EQ(size_of(at(written.json, "nodes", 0, "children")), 1);
  EXPECT_EQ(number(at(written.json, "skins", 0, "skeleton")), 0);
  EXPECT_EQ(number(at(written.json, "skins", 0, "joints", 0)), bone);
  EXPECT_THAT(written.accessor(at(written.json, "skins", 0, "inverseBindMatrices")),
              ::testing::ElementsAre(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1));
}

/// As what they are, and back.
TEST(GltfWires, PointsAndLinesKeepTheirMode) {
  using Mode = scene::Wire::Mode;
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.tangents.assign(mesh.positions.size(), Vec4{1, 0, 0, 1});
  mesh.wires = {{Mode::points, {3, 1}},
                {Mode::lines, {0, 1, 2, 3}},
                {Mode::line_loop, {0, 1, 2}},
                {Mode::line_strip, {2, 1}}};
  const Written written = write(scene);
  EXPECT_TRUE(written.diagnostics.items().empty());
  const Value& primitives = at(written.json, "meshes", 0, "primitives");
  ASSERT_EQ(size_of(primitives), 5);
  EXPECT_FALSE(has(at(primitives, 0), "mode")) << "triangles are the default";
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(number(at(primitives, i + 1, "mode")), i);
    EXPECT_FALSE(has(at(primitives, i + 1, "attributes"), "TANGENT"));
  }
  EXPECT_THAT(written.accessor(at(primitives, 1, "indices")), ::testing::ElementsAre(3, 1));
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, {}, diagnostics);
  const auto back = read_gltf(files->front().bytes, {}, diagnostics);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->meshes[0].wires.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back->meshes[0].wires[i].mode, mesh.wires[i].mode);
    EXPECT_EQ(back->meshes[0].wires[i].indices, mesh.wires[i].indices);
  }
  EXPECT_EQ(back->meshes[0].indices, mesh.indices);
  EXPECT_TRUE(diagnostics.items().empty());
}

TEST(GltfWires, WhatNamesNoVertexIsLeftOutWithAFinding) {
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.wires = {{scene::Wire::Mode::lines, {0, 9}}, {scene::Wire::Mode::lines, {0, 1, 2}}};
  const Written written = write(scene);
  EXPECT_EQ(size_of(at(written.json, "meshes", 0, "primitives")), 1);
  EXPECT_EQ(written.diagnostics.items().size(), 2U);
}

TEST(GltfSkin, RootThatIsAJointGetsOneAbove) {
  auto scene = empty_scene();
  add_skin(scene, add_quad(scene), {0});
  const Written written = write(scene);
  const double root = number(at(written.json, "skins", 0, "skeleton"));
  EXPECT_NE(root, 0);
  EXPECT_EQ(number(at(written.json, "nodes", static_cast<int>(root), "children", 0)), 0);
}

TEST(GltfSkin, SixInfluencesNeedTwoSets) {
  auto scene = empty_scene();
  std::vector<scene::Index> joints;
  for (int i = 0; i < 6; ++i) {
    joints.push_back(add_node(scene, "bone"));
  }
  add_skin(scene, add_quad(scene), joints);
  // One vertex with unequal, unsorted, repeated and empty weights.
  auto& mesh = scene.meshes[0];
  const std::array<std::uint16_t, 6> vertex_joints = {3, 1, 3, 5, 0, 2};
  const std::array<float, 6> vertex_weights = {0.1F, 0.5F, 0.3F, 0, 0.1F, 0};
  std::copy(vertex_joints.begin(), vertex_joints.end(), mesh.joints.begin());
  std::copy(vertex_weights.begin(), vertex_weights.end(), mesh.weights.begin());
  const Written written = write(scene);
  const auto joints_0 = attribute(written, "JOINTS_0");
  const auto joints_1 = attribute(written, "JOINTS_1");
  const auto weights_0 = attribute(written, "WEIGHTS_0");
  const auto weights_1 = attribute(written, "WEIGHTS_1");
  EXPECT_FALSE(has(at(primitive(written), "attributes"), "JOINTS_2"));
  for (std::size_t vertex = 0; vertex < 4; ++vertex) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += weights_0[vertex * 4 + i] + weights_1[vertex * 4 + i];
    }
    EXPECT_NEAR(sum, 1, 1e-7);
  }
  EXPECT_EQ(joints_0[0], 1);
  EXPECT_EQ(joints_0[1], 3);
  EXPECT_NEAR(weights_0[1], 0.4, 1e-6);
  EXPECT_EQ(joints_0[2], 0);
  EXPECT_EQ(weights_0[3], 0);
  EXPECT_EQ(joints_1[0], 0);
  EXPECT_NEAR(weights_1[4], 1.0 / 6, 1e-6);
}

TEST(GltfMesh, AttributesAreFixed) {
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.normals[0] = {0, 0, 0};
  mesh.normals[1] = {0, 3, 4};
  mesh.colors = {{1, 0.5F, 0, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0.25F}};
  const Written written = write(scene);
  const auto normals = attribute(written, "NORMAL");
  EXPECT_EQ(normals[1], 1);
  EXPECT_NEAR(normals[4], 0.6, 1e-7);
  const auto colors = attribute(written, "COLOR_0");
  EXPECT_NEAR(colors[1], 0.21404, 1e-5);  // linear
  EXPECT_EQ(colors[15], 0.25);
  const Value& positions = at(written.json, "accessors",
                              static_cast<int>(number(at(primitive(written), "attributes", "POSITION"))));
  EXPECT_EQ(number(at(positions, "max", 2)), 0.5);
  EXPECT_EQ(number(at(positions, "min", 0)), 0);
}

TEST(GltfMesh, EveryPartIsAPrimitiveWithAMaterial) {
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.parts = {{0, 3, scene::kNone}, {3, 3, scene::kNone}};
  const Written written = write(scene);
  ASSERT_EQ(size_of(at(written.json, "meshes", 0, "primitives")), 2);
  EXPECT_THAT(written.accessor(at(primitive(written, 0, 0), "indices")), ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(written.accessor(at(primitive(written, 0, 1), "indices")), ::testing::ElementsAre(0, 2, 3));
  EXPECT_EQ(number(at(primitive(written, 0, 1), "material")), 0);
  EXPECT_EQ(number(at(primitive(written, 0, 0), "attributes", "POSITION")),
            number(at(primitive(written, 0, 1), "attributes", "POSITION")));
}

TEST(GltfMesh, ManyVerticesTakeLongIndices) {
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.normals.clear();
  mesh.uv_sets.clear();
  mesh.parts = {{0, 3, scene::kNone}};
  for (const std::uint32_t count : {65536U, 70000U}) {  // the index 65535 restarts primitives
    mesh.positions.resize(count, Vec3{1, 2, 3});
    mesh.indices = {0, 1, count - 1};
    const Written written = write(scene);
    const Value& indices = at(primitive(written), "indices");
    EXPECT_THAT(written.accessor(indices), ::testing::ElementsAre(0, 1, count - 1));
    EXPECT_EQ(number(at(written.json, "accessors", static_cast<int>(number(indices)), "componentType")),
              5125);
  }
}

TEST(GltfMesh, MorphTargets) {
  auto scene = empty_scene();
  auto& mesh = scene.meshes[add_quad(scene)];
  mesh.morph_targets = {{"smile", {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {}}, {"frown", {}, {}}};
  auto& clip = add_clip(scene, "Talk", 1);
  add_channel(clip, scene::Target::Kind::mesh, 0, scene::Property::weights,
              curve(scene::CurveMode::linear, 2, {0, 1}, {0, 0, 1, 0.5F}));
  const Written written = write(scene);
  ASSERT_EQ(size_of(at(primitive(written), "targets")), 2);
  EXPECT_EQ(written.accessor(at(primitive(written), "targets", 0, "POSITION"))[2], 1);
  EXPECT_EQ(text(at(written.json, "meshes", 0, "extras", "targetNames", 1)), "frown");
  const Value* channel = written.channel(0, static_cast<int>(mesh.node), "weights");
  ASSERT_NE(channel, nullptr);
  EXPECT_THAT(written.accessor(at(written.sampler(0, *channel), "output")),
              ::testing::ElementsAre(0, 0, 1, 0.5));
}

}  // namespace
}  // namespace thaw::test
