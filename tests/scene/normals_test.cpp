// Normals and tangents that a file does not have.
#include <gtest/gtest.h>

#include "scene/math.hpp"
#include "scene/normals.hpp"

namespace thaw::scene {
namespace {

/// A floor of half a square (y up) and a wall of four times its area, which meet at the vertices 0 and 1.
Mesh corner() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 4, 0}};
  mesh.indices = {0, 1, 2, 0, 1, 3};
  return mesh;
}

void expect_near(const Vec3& a, const Vec3d& b) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(a.at(axis), b.at(axis), 1e-6) << axis;
  }
}

TEST(SmoothNormals, AreTheMeanByArea) {
  const auto normals = smooth_normals(corner());
  ASSERT_EQ(normals.size(), 4U);
  expect_near(normals[2], {0, 1, 0});
  expect_near(normals[3], {0, 0, 1});
  const double size = std::sqrt(17.0);
  expect_near(normals[0], {0, 1 / size, 4 / size});
  expect_near(normals[1], {0, 1 / size, 4 / size});
}

TEST(SmoothNormals, PointUpWhereThereIsNone) {
  Mesh mesh = corner();
  mesh.positions.push_back({9, 9, 9});
  EXPECT_EQ(smooth_normals(mesh)[4], (Vec3{0, 1, 0})) << "no triangle";
  mesh.indices = {0, 1, 3, 1, 0, 3};
  EXPECT_EQ(smooth_normals(mesh)[0], (Vec3{0, 1, 0})) << "two that cancel";
  mesh.indices = {0, 1, 5};
  EXPECT_EQ(smooth_normals(mesh)[0], (Vec3{0, 1, 0})) << "a vertex that is not there";
  mesh.indices = {0, 1, 4, 0};
  EXPECT_NE(smooth_normals(mesh)[0], (Vec3{0, 1, 0})) << "the last vertex, and an index too many";
  constexpr float kFar = std::numeric_limits<float>::max();
  mesh.positions[0] = {-kFar, -kFar, kFar};
  mesh.positions[1] = {kFar, -kFar, -kFar};
  mesh.positions[3] = {-kFar, kFar, -kFar};
  mesh.indices = {0, 1, 3};
  const Vec3 normal = smooth_normals(mesh)[0];
  EXPECT_NEAR(length(widen(normal)), 1, 1e-6) << "of numbers as large as there are";
}

/// One triangle in the plane of x and y, its u along x and its v down along y, each times these.
Mesh painted(float u, float v) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  mesh.indices = {0, 1, 2};
  mesh.uv_sets = {{{0, 0}, {u, 0}, {0, -v}}};
  return mesh;
}

TEST(Tangents, PointWhereUGrows) {
  const Array<Vec3> normals(3, Vec3{0, 0, 1});
  EXPECT_EQ(tangents_by_uvs(painted(1, 1), normals)[0], (Vec4{1, 0, 0, 1})) << "v falls upwards";
  EXPECT_EQ(tangents_by_uvs(painted(-1, 1), normals)[0], (Vec4{-1, 0, 0, -1})) << "a mirrored picture";
  EXPECT_EQ(tangents_by_uvs(painted(1, -1), normals)[1], (Vec4{1, 0, 0, -1}));
  EXPECT_EQ(tangents_by_uvs(painted(3, 0.1F), normals)[2], (Vec4{1, 0, 0, 1})) << "a stretched one";
}

TEST(Tangents, StandAtRightAnglesToNormals) {
  const auto slant = static_cast<float>(std::sqrt(0.5));
  const Array<Vec3> normals(3, Vec3{slant, 0, slant});
  const Vec4 tangent = tangents_by_uvs(painted(1, 1), normals)[0];
  expect_near({tangent[0], tangent[1], tangent[2]}, {slant, 0, -slant});
}

TEST(Tangents, AreAnyWhereNothingSaysThem) {
  const Array<Vec3> normals(3, Vec3{0, 0, 1});
  EXPECT_TRUE(tangents_by_uvs(Mesh(), {}).empty());
  Mesh mesh = painted(1, 1);
  EXPECT_TRUE(tangents_by_uvs(mesh, Array<Vec3>(2)).empty());
  mesh.uv_sets[0].pop_back();
  EXPECT_TRUE(tangents_by_uvs(mesh, normals).empty());
  for (const Mesh& without : {painted(0, 1), painted(1, 0)}) {  // a picture without an area
    for (const Vec4& tangent : tangents_by_uvs(without, normals)) {
      EXPECT_NEAR(length({tangent[0], tangent[1], tangent[2]}), 1, 1e-6);
      EXPECT_EQ(tangent[2], 0);
    }
  }
  mesh = painted(1, 1);
  mesh.indices = {0, 1, 3, 0, 1, 2, 1};
  EXPECT_EQ(tangents_by_uvs(mesh, normals)[0], (Vec4{1, 0, 0, 1})) << "only whole triangles count";
}

}  // namespace
}  // namespace thaw::scene
