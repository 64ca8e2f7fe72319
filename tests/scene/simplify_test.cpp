// Fewer triangles of the vertices that there are.
#include "scene/simplify.hpp"

#include "support/promises.hpp"

#include <gtest/gtest.h>

#include <set>

namespace thaw::scene {
namespace {

/// A square of `side` × `side` cells in the plane of x and z, with a bump of this height, and a seam of UVs
/// at the column `seam`, if there is one.
Mesh field(std::uint32_t side, double bump, std::uint32_t seam = ~0U) {
  Mesh mesh;
  mesh.name = "field";
  const auto height = [&](std::uint32_t x, std::uint32_t z) {
    const double across = 2.0 * x / side - 1;
    const double along = 2.0 * z / side - 1;
    return to_float(bump * (1 - across * across) * (1 - along * along));
  };
  mesh.uv_sets.emplace_back();
  std::vector<std::array<std::uint32_t, 2>> columns;  // the vertex of each column, left and right of the seam
  const auto add = [&](std::uint32_t x, std::uint32_t z, float u) {
    mesh.positions.push_back({static_cast<float>(x), height(x, z), static_cast<float>(z)});
    mesh.uv_sets[0].push_back({u, static_cast<float>(z)});
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  };
  for (std::uint32_t z = 0; z <= side; ++z) {
    for (std::uint32_t x = 0; x <= side; ++x) {
      const std::uint32_t left = add(x, z, static_cast<float>(x));
      columns.push_back({left, x == seam ? add(x, z, -1) : left});
    }
  }
  for (std::uint32_t z = 0; z < side; ++z) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const auto at = [&](std::uint32_t column, std::uint32_t row, std::size_t way) {
        return columns[row * (side + 1) + column].at(way);
      };
      const std::uint32_t a = at(x, z, 1);
      const std::uint32_t b = at(x + 1, z, 0);
      const std::uint32_t c = at(x, z + 1, 1);
      const std::uint32_t d = at(x + 1, z + 1, 0);
      mesh.indices.insert(mesh.indices.end(), {a, c, b, b, c, d});
    }
  }
  mesh.parts.push_back({0, static_cast<Index>(mesh.indices.size()), 0});
  return mesh;
}

double area_of(const Mesh& mesh) {
  double area = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) { return widen(mesh.positions[mesh.indices[i + k]]); };
    area += length(cross(subtract(at(1), at(0)), subtract(at(2), at(0)))) / 2;
  }
  return area;
}

TEST(Simplify, APlaneIsTwoTriangles) {
  const Mesh plane = field(8, 0);
  Simplifier simplifier(plane);
  EXPECT_EQ(simplifier.triangles(), 128U);
  simplifier.reduce(0, 1e-6);
  EXPECT_EQ(simplifier.triangles(), 2U) << "its corners stay";
  EXPECT_EQ(simplifier.error(), 0);
  EXPECT_NEAR(area_of(simplifier.mesh()), 64, 1e-9);
}

TEST(Simplify, OnlyVerticesThatWereThere) {
  const Mesh bumpy = field(16, 3, 5);
  Simplifier simplifier(bumpy);
  simplifier.reduce(100, 1);
  EXPECT_LE(simplifier.triangles(), 100U);
  EXPECT_GT(simplifier.triangles(), 50U);
  EXPECT_GT(simplifier.error(), 0);
  EXPECT_LE(simplifier.error(), 1);
  std::set<std::pair<Vec3, Vec2>> vertices;
  for (std::size_t i = 0; i < bumpy.positions.size(); ++i) {
    vertices.emplace(bumpy.positions[i], bumpy.uv_sets[0][i]);
  }
  const Mesh coarse = simplifier.mesh();
  EXPECT_LT(coarse.positions.size(), bumpy.positions.size());
  for (std::size_t i = 0; i < coarse.positions.size(); ++i) {
    EXPECT_EQ(vertices.count({coarse.positions[i], coarse.uv_sets[0][i]}), 1U);
  }
}

TEST(Simplify, SeamsStayBetweenTheirSides) {
  const Mesh seamed = field(8, 0, 3);
  Simplifier simplifier(seamed);
  simplifier.reduce(0, 1e-6);
  EXPECT_EQ(simplifier.triangles(), 4U) << "two on either side";
  const Mesh coarse = simplifier.mesh();
  for (std::size_t i = 0; i < coarse.indices.size(); i += 3) {
    // u is x left of the seam; right of it, the seam's own corners say -1.
    bool left = false;
    bool right = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto vertex = coarse.indices[i + k];
      left = left || coarse.positions[vertex][0] < 3;
      right = right || coarse.positions[vertex][0] > 3 || coarse.uv_sets[0][vertex][0] < 0;
    }
    EXPECT_NE(left, right);
  }
}

TEST(Simplify, PartsKeepTheirBorder) {
  Mesh two = field(8, 0);
  two.parts = {{0, 192, 0}, {192, 192, 1}};
  Simplifier simplifier(two);
  simplifier.reduce(0, 1e-6);
  const Mesh coarse = simplifier.mesh();
  ASSERT_EQ(coarse.parts.size(), 2U);
  EXPECT_EQ(coarse.parts[0].index_count, 6U);
  EXPECT_EQ(coarse.parts[1].index_count, 6U);
  EXPECT_EQ(coarse.parts[1].material, 1U);
}

TEST(Simplify, TheErrorIsAsFarAsAnyVertexIs) {
  // A single cell that stands out by 1 from a plane: without it, its place is that far from the surface.
  Mesh peak = field(2, 0);
  peak.positions[4][1] = 1;
  Simplifier simplifier(peak);
  simplifier.reduce(0, 0.5);
  EXPECT_EQ(simplifier.triangles(), 4U) << "without the peak it would be off by more";
  EXPECT_EQ(simplifier.error(), 0);
  simplifier.reduce(0, 1.1);
  EXPECT_EQ(simplifier.triangles(), 2U);
  EXPECT_NEAR(simplifier.error(), 1, 1e-9);
}

TEST(Simplify, BonesAreOfTheVerticesThatStay) {
  Mesh skinned = field(8, 0);
  skinned.influences = 1;
  for (std::size_t i = 0; i < skinned.positions.size(); ++i) {
    skinned.joints.push_back(skinned.positions[i][0] < 4 ? 0 : 1);
    skinned.weights.push_back(1);
  }
  Simplifier simplifier(skinned);
  simplifier.reduce(40, 1e-6);
  const Mesh coarse = simplifier.mesh();
  ASSERT_EQ(coarse.joints.size(), coarse.positions.size());
  for (std::size_t i = 0; i < coarse.positions.size(); ++i) {
    EXPECT_EQ(coarse.joints[i], coarse.positions[i][0] < 4 ? 0 : 1);
  }
}

Scene scene_of(Mesh mesh) {
  Scene scene;
  scene.nodes.resize(2);
  scene.nodes[0].name = "root";
  scene.nodes[0].rest.translation = {10, 0, 0};
  scene.nodes[0].rest.scale = {2, 2, 2};
  scene.nodes[1].name = "field";
  scene.nodes[1].parent = 0;
  scene.materials.resize(1);
  mesh.node = 1;
  scene.meshes.push_back(std::move(mesh));
  return scene;
}

TEST(Simplify, LevelsHangOnTheFinest) {
  Scene scene = scene_of(field(16, 2));
  const auto levels = add_levels(scene, 3, nullptr);
  ASSERT_EQ(levels.size(), 4U);
  EXPECT_EQ(levels[0].triangles, 512U);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    EXPECT_LE(levels[i].triangles, std::max<std::size_t>(512U >> i, levels[i - 1].triangles * 9 / 10));
    EXPECT_LE(levels[i].error, kFirstLevelError * static_cast<double>(1U << (i - 1)) * 1.5);
  }
  ASSERT_EQ(scene.nodes[1].lods.size(), 3U);
  EXPECT_EQ(scene.nodes[scene.nodes[1].lods[2]].name, "field_lod3");
  ASSERT_EQ(scene.meshes.size(), 4U);
  EXPECT_EQ(scene.meshes[1].name, "field_lod1");
  EXPECT_EQ(scene.meshes[1].positions[0], (Vec3{10, 0, 0})) << "where it stands";
  EXPECT_EQ(test::problems_of(scene), test::Problems());
}

TEST(Simplify, WhatCannotBeCoarserHasNoLevel) {
  Mesh triangle;
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.indices = {0, 1, 2};
  triangle.parts.push_back({0, 3, 0});
  Scene scene = scene_of(std::move(triangle));
  EXPECT_EQ(add_levels(scene, 2, nullptr).size(), 1U);
  EXPECT_EQ(scene.meshes.size(), 1U);
}

}  // namespace
}  // namespace thaw::scene
