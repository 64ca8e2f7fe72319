// How far vertices are from those that were made of them, and where skins put them.
#include "scene/deviation.hpp"

#include "scene/roles.hpp"
#include "scene/skinned.hpp"

#include <gtest/gtest.h>

namespace thaw::scene {
namespace {

/// Four corners at a node that rises by `height` within each clip of two seconds.
Scene rising(std::size_t clips, float height) {
  Scene scene;
  scene.nodes.emplace_back();
  Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 5, 0}};
  mesh.indices = {0, 1, 2};
  for (std::size_t i = 0; i < clips; ++i) {
    Clip& clip = scene.clips.emplace_back();
    clip.duration = 2;
    Channel& channel = clip.channels.emplace_back();
    channel.property = Property::translation;
    channel.curve.components = 3;
    channel.curve.times = {0, 1, 2};
    channel.curve.values = {0, 0, 0, 0, height, 0, 0, 0, 0};
  }
  return scene;
}

const std::vector<ConvertedMesh> kSame = {{0, {0, 1, 2, 3}}};

TEST(Deviation, IsTheLargestWhileClipsPlay) {
  const Scene scene = rising(2, 1);
  EXPECT_EQ(largest_deviation(scene, scene, kSame), 0);
  EXPECT_NEAR(largest_deviation(scene, rising(2, 4), kSame), 3, 1e-6) << "in the middle of each";
  Scene second = scene;
  second.clips[1].channels[0].curve.values[4] = 3;
  EXPECT_NEAR(largest_deviation(scene, second, kSame), 2, 1e-6) << "in the last";
  second.clips.pop_back();
  EXPECT_EQ(largest_deviation(scene, second, kSame), 0) << "of what both have";
  Scene later = scene;
  later.clips[0].channels[0].curve.times = {0, 0.5F, 2};
  EXPECT_GT(largest_deviation(scene, later, kSame), 0.4);
}

TEST(Deviation, PassesOverClipsThatAreGlobal) {
  Scene scene = rising(2, 1);
  scene.clips[0].global = true;
  scene.clips[0].channels[0].curve.values[4] = 9;
  EXPECT_EQ(largest_deviation(scene, rising(1, 1), kSame), 0);
}

TEST(Deviation, AtRestWhereNothingPlays) {
  const Scene scene = rising(0, 0);
  Scene moved = scene;
  moved.meshes[0].positions[2] = {0, 2, 1};
  EXPECT_EQ(largest_deviation(scene, moved, kSame), 2);
  EXPECT_EQ(largest_deviation(scene, moved, std::vector<ConvertedMesh>{{0, {0, 1}}}), 0) << "of those two";
  EXPECT_EQ(largest_deviation(scene, scene, std::vector<ConvertedMesh>{{0, {0, 3}}}), std::sqrt(26.0));
}

TEST(Deviation, SkinsPlaceVerticesByTheirWeights) {
  Scene scene = rising(0, 0);
  scene.nodes.emplace_back().rest.translation = {0, 4, 0};
  const Mat4 same = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  scene.skins.push_back({"", {0, 1}, {same, same}});
  Mesh& mesh = scene.meshes[0];
  mesh.skin = 0;
  mesh.influences = 2;
  mesh.joints = {0, 1, 0, 1, 0, 1, 0, 1};
  mesh.weights = {1, 0, 0, 1, 0.5F, 0.5F, 0, 0};
  Scene still = scene;
  still.nodes[1].rest.translation = {0, 0, 0};
  const auto of_vertex = [&](std::uint32_t vertex) {
    Scene one = still;
    one.meshes[0].positions = {still.meshes[0].positions[vertex]};
    one.meshes[0].skin = kNone;
    return largest_deviation(scene, one, std::vector<ConvertedMesh>{{0, {vertex}}});
  };
  EXPECT_EQ(of_vertex(0), 0);
  EXPECT_EQ(of_vertex(1), 4);
  EXPECT_EQ(of_vertex(2), 2);
  EXPECT_EQ(of_vertex(3), 0) << "without a weight it stays where it is";
  const auto world = Poser(scene, nullptr).world_matrices(0);
  EXPECT_EQ(transform_point(skinning_matrix(mesh, scene.skins[0], world, 2), {0, 0, 1}), (Vec3d{0, 2, 1}));
  const RestMesh rest = rest_mesh(scene, mesh, world);
  EXPECT_EQ(rest.positions[1], (Vec3d{1, 4, 0}));
  EXPECT_FALSE(rest.inside_out);
}

TEST(Deviation, OfTheNearestVertexThatATriangleUses) {
  const Scene scene = rising(0, 0);
  Scene other = scene;
  std::swap(other.meshes[0].positions[0], other.meshes[0].positions[2]);
  EXPECT_EQ(nearest_deviation(scene, other), 0) << "in any order";
  other.meshes[0].positions[3] = {70, 0, 0};
  EXPECT_EQ(nearest_deviation(scene, other), 0) << "no triangle uses it";
  other.meshes[0].indices = {0, 1, 3};
  EXPECT_EQ(nearest_deviation(scene, other), 69);
}

TEST(Deviation, BetweenTwoPlacesOfAllNodes) {
  const Scene scene = rising(1, 3);
  const Poser poser(scene, scene.clips.data());
  EXPECT_NEAR(placed_deviation(scene, poser.world_matrices(0), poser.world_matrices(1)), 3, 1e-6);
  EXPECT_EQ(placed_deviation(scene, poser.world_matrices(2), poser.world_matrices(2)), 0);
}

TEST(RestMesh, MirrorsTurnTrianglesAndNormalsStayUpright) {
  Scene scene = rising(0, 0);
  scene.nodes[0].rest.scale = {2, 1, -1};
  scene.meshes[0].normals = {Vec3{1, 1, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}};
  const auto world = Poser(scene, nullptr).world_matrices(0);
  const RestMesh rest = rest_mesh(scene, scene.meshes[0], world);
  EXPECT_TRUE(rest.inside_out);
  EXPECT_EQ(rest.positions[1], (Vec3d{2, 0, 0}));
  EXPECT_EQ(rest.positions[2], (Vec3d{0, 0, -1}));
  // Where the mesh is twice as wide, a slope is half as steep: (1, 1) becomes (1/2, 1).
  EXPECT_NEAR(rest.normals[0][0] / rest.normals[0][1], 0.5, 1e-12);
  EXPECT_EQ(rest.normals[2], (Vec3d{0, 0, -1}));
  const Mat4d turned = directions_of({0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 7, 8, 9, 1});
  EXPECT_EQ(turned, (Mat4d{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1})) << "a rotation, without place";
}

}  // namespace
}  // namespace thaw::scene
