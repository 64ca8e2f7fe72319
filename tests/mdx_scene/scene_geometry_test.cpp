// Geosets as meshes: faces, matrix groups, skin weights, colours, and what was mended.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/mdx_objects.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw {
namespace {

using mdx::PrimitiveType;

/// A geoset of a number of vertices on a line.
mdx::Geoset geoset_of(std::size_t vertices) {
  mdx::Geoset geoset;
  for (std::size_t i = 0; i < vertices; ++i) {
    geoset.positions.push_back({static_cast<float>(i), 1, 2});
    geoset.normals.push_back({0, 0, 1});
  }
  return geoset;
}

mdx::Bones bones_of(std::int32_t count) {
  mdx::Bones bones;
  for (std::int32_t i = 0; i < count; ++i) {
    bones.items.push_back(test::make_bone("bone", i));
  }
  return bones;
}

struct Converted {
  explicit Converted(const mdx::Geoset& geoset, std::int32_t bones = 3,
                     std::vector<mdx::GeosetAnimation> animations = {}) {
    mdx::SceneOptions options;
    options.scale = 1;
    const auto document =
        test::make_document(test::list_of<mdx::Material>({{}}), test::list_of<mdx::Geoset>({geoset}),
                            bones_of(bones), test::list_of(std::move(animations)));
    scene = mdx::to_scene(document, options, diagnostics);
    EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
  }
  [[nodiscard]] const scene::Mesh& mesh() const { return scene.meshes.at(0); }
  [[nodiscard]] std::size_t reports(const Code& code) const {
    const auto& items = diagnostics.items();
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [&](const Diagnostic& item) { return item.code == code; }));
  }
  /// Weight by node of one vertex, unused influences left out.
  [[nodiscard]] std::vector<std::pair<scene::Index, float>> weights(std::size_t vertex) const {
    std::vector<std::pair<scene::Index, float>> result;
    for (std::size_t i = vertex * mesh().influences; i < (vertex + 1) * mesh().influences; ++i) {
      if (mesh().weights[i] > 0) {
        result.emplace_back(scene.skins.at(mesh().skin).joints[mesh().joints[i]], mesh().weights[i]);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  scene::Scene scene;
  Diagnostics diagnostics;
};

using Weights = std::vector<std::pair<scene::Index, float>>;

void add_group(mdx::Geoset& geoset, PrimitiveType type, std::initializer_list<std::uint16_t> indices) {
  geoset.primitive_types.push_back(type);
  geoset.primitive_counts.push_back(static_cast<std::uint32_t>(indices.size()));
  geoset.indices.insert(geoset.indices.end(), indices);
}

Array<std::uint32_t> triangles_of(PrimitiveType type, std::initializer_list<std::uint16_t> indices) {
  auto geoset = geoset_of(8);
  add_group(geoset, type, indices);
  return Converted(geoset).mesh().indices;
}

using Triangles = Array<std::uint32_t>;

TEST(SceneGeometry, EveryPrimitiveWithAreaBecomesTriangles) {
  EXPECT_EQ(triangles_of(PrimitiveType::triangles, {0, 1, 2, 3, 4, 5, 6}), (Triangles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(triangles_of(PrimitiveType::triangle_strip, {0, 1, 2, 3, 4}),
            (Triangles{0, 1, 2, 2, 1, 3, 2, 3, 4}));
  EXPECT_EQ(triangles_of(PrimitiveType::triangle_strip, {0, 1, 1, 2, 3}), (Triangles{1, 2, 3}));
  EXPECT_EQ(triangles_of(PrimitiveType::triangle_fan, {0, 1, 2, 3}), (Triangles{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(triangles_of(PrimitiveType::quads, {0, 1, 2, 3, 4, 5, 6, 7}),
            (Triangles{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}));
  EXPECT_EQ(triangles_of(PrimitiveType::quad_strip, {0, 1, 2, 3, 4, 5}),
            (Triangles{0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4}));
  EXPECT_EQ(triangles_of(PrimitiveType::polygons, {0, 1, 2, 3, 4}), (Triangles{0, 1, 2, 0, 2, 3, 0, 3, 4}));
}

TEST(SceneGeometry, AQuadOfThreeTakesNoCornerFromTheNextGroup) {
  auto geoset = geoset_of(8);
  add_group(geoset, PrimitiveType::quads, {0, 1, 2, 3, 4, 5, 6});
  add_group(geoset, PrimitiveType::triangles, {5, 6, 7});
  EXPECT_EQ(Converted(geoset).mesh().indices, (Triangles{0, 1, 2, 0, 2, 3, 5, 6, 7}));
}

TEST(SceneGeometry, WhatIsLeftOverMakesNoFace) {
  EXPECT_EQ(triangles_of(PrimitiveType::triangles, {0, 1, 2, 3, 4}), (Triangles{0, 1, 2}));
  EXPECT_EQ(triangles_of(PrimitiveType::quad_strip, {0, 1, 2, 3, 4}), (Triangles{0, 1, 3, 0, 3, 2}));
  for (const auto type :
       {PrimitiveType::triangles, PrimitiveType::triangle_strip, PrimitiveType::triangle_fan,
        PrimitiveType::polygons, PrimitiveType::quads, PrimitiveType::quad_strip}) {
    EXPECT_EQ(triangles_of(type, {0, 1}), Triangles{});
    EXPECT_EQ(triangles_of(type, {0}), Triangles{});
  }
}

TEST(SceneGeometry, OnlyFacesThatTurnAroundAreWithoutArea) {
  for (const auto& turned : {std::array<std::uint16_t, 3>{0, 0, 1}, {0, 1, 1}, {0, 1, 0}}) {
    auto geoset = geoset_of(3);
    add_group(geoset, PrimitiveType::triangle_strip, {turned[0], turned[1], turned[2]});
    EXPECT_TRUE(Converted(geoset).mesh().indices.empty());
  }
}

TEST(SceneGeometry, PointsAndLinesStayWhatTheyAre) {
  using Mode = scene::Wire::Mode;
  auto geoset = geoset_of(4);
  add_group(geoset, PrimitiveType::points, {0, 3});
  add_group(geoset, PrimitiveType::lines, {0, 1, 2, 3, 1});
  add_group(geoset, PrimitiveType::line_loop, {0, 1, 2});
  add_group(geoset, PrimitiveType::line_strip, {3, 2, 1});
  add_group(geoset, PrimitiveType::points, {1});
  const Converted made(geoset);
  const auto& wires = made.mesh().wires;
  ASSERT_EQ(wires.size(), 4U);
  EXPECT_EQ(wires[0].mode, Mode::points);
  EXPECT_EQ(wires[0].indices, (Triangles{0, 3, 1})) << "groups of points are one";
  EXPECT_EQ(wires[1].mode, Mode::lines);
  EXPECT_EQ(wires[1].indices, (Triangles{0, 1, 2, 3})) << "half a line is none";
  EXPECT_EQ(wires[2].mode, Mode::line_loop);
  EXPECT_EQ(wires[2].indices, (Triangles{0, 1, 2}));
  EXPECT_EQ(wires[3].mode, Mode::line_strip);
  EXPECT_EQ(wires[3].indices, (Triangles{3, 2, 1}));
  EXPECT_TRUE(made.mesh().indices.empty());
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 0U);
}

TEST(SceneGeometry, OfPathsWithMissingVerticesTheOtherLinesStay) {
  auto geoset = geoset_of(3);
  add_group(geoset, PrimitiveType::line_loop, {0, 1, 2, 7});
  add_group(geoset, PrimitiveType::points, {7});
  add_group(geoset, static_cast<PrimitiveType>(10), {0, 1});
  const Converted made(geoset);
  ASSERT_EQ(made.mesh().wires.size(), 1U);
  EXPECT_EQ(made.mesh().wires[0].mode, scene::Wire::Mode::lines);
  EXPECT_EQ(made.mesh().wires[0].indices, (Triangles{0, 1, 1, 2}));
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 2U);
}

TEST(SceneGeometry, BrokenFacesAreLeftOutWithAFinding) {
  auto geoset = geoset_of(3);
  add_group(geoset, PrimitiveType::triangles, {0, 1, 2, 0, 1, 3});
  geoset.primitive_counts.push_back(1000);  // no type, no indices
  const Converted made(geoset);
  EXPECT_EQ(made.mesh().indices, (Triangles{0, 1, 2}));
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 2U);
}

TEST(SceneGeometry, PositionsAndNormalsAreTurned) {
  const Converted made(geoset_of(2));
  EXPECT_EQ(made.mesh().positions[1], (Vec3{1, 2, -1}));
  EXPECT_EQ(made.mesh().normals[1], (Vec3{0, 1, 0}));
}

TEST(SceneGeometry, GroupsAreAveragesHoweverLarge) {
  auto geoset = geoset_of(3);
  geoset.vertex_groups = {0, 1, 2};
  geoset.matrix_groups = {1, 3, 6};
  geoset.matrix_indices = {0, /**/ 1, 1, 2, /**/ 0, 1, 2, 3, 4, 5};
  const Converted made(geoset, 6);
  EXPECT_EQ(made.mesh().influences, 6U);
  EXPECT_EQ(made.weights(0), (Weights{{1, 1.0F}}));
  // A node that is named twice counts twice.
  EXPECT_EQ(made.weights(1), (Weights{{2, static_cast<float>(2.0 / 3)}, {3, static_cast<float>(1.0 / 3)}}));
  EXPECT_EQ(made.weights(2).size(), 6U);
  EXPECT_EQ(made.weights(2)[5], (std::pair<scene::Index, float>{6, static_cast<float>(1.0 / 6)}));
}

TEST(SceneGeometry, JointsAreBoundWhereTheirPivotsStand) {
  auto geoset = geoset_of(1);
  geoset.vertex_groups = {0};
  geoset.matrix_groups = {1};
  geoset.matrix_indices = {1};
  geoset.selection_group = 7;
  mdx::SceneOptions options;
  options.scale = 1;
  Diagnostics findings;
  auto pivots = test::make_pivots({{9, 9, 9}, {1, 2, 3}, {4, 5, 6}});
  pivots.points.pop_back();  // the third bone has none
  const auto scene =
      mdx::to_scene(test::make_document(test::list_of<mdx::Material>({{}}),
                                        test::list_of<mdx::Geoset>({geoset}), bones_of(3), pivots),
                    options, findings);
  ASSERT_EQ(scene.skins.size(), 1U);
  const auto& skin = scene.skins[0];
  ASSERT_EQ(skin.inverse_bind.size(), skin.joints.size());
  const auto joint = std::find_if(skin.joints.begin(), skin.joints.end(), [&](scene::Index node) {
    return scene.nodes[node].rest.translation == Vec3{1, 3, -2};
  });
  ASSERT_NE(joint, skin.joints.end());
  EXPECT_EQ(skin.inverse_bind[static_cast<std::size_t>(joint - skin.joints.begin())],
            (scene::Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -3, 2, 1}));
  EXPECT_TRUE(std::any_of(scene.nodes.begin(), scene.nodes.end(), [](const scene::Node& node) {
    return node.kind == scene::NodeKind::bone && node.rest.translation == Vec3{};
  })) << "a bone without a pivot";
  const auto* group = scene.meshes[0].extras.find("selectionGroup");
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(*group, Value(7U));
}

TEST(SceneGeometry, VerticesWithoutGroupFollowTheRoot) {
  auto geoset = geoset_of(3);
  geoset.vertex_groups = {0, 9};  // one that does not exist, and one vertex without
  geoset.matrix_groups = {2, 77};
  geoset.matrix_indices = {1, 1000};
  const Converted made(geoset);
  EXPECT_EQ(made.weights(0), (Weights{{2, 1.0F}}));
  EXPECT_EQ(made.weights(1), (Weights{{0, 1.0F}}));
  EXPECT_EQ(made.weights(2), (Weights{{0, 1.0F}}));
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 3U);
}

TEST(SceneGeometry, GeosetsWithoutGroupsHaveNoSkin) {
  const Converted made(geoset_of(3));
  EXPECT_EQ(made.mesh().skin, scene::kNone);
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 0U);
}

TEST(SceneGeometry, HugeGroupsAreCut) {
  constexpr std::int32_t kBones = 1000;
  auto geoset = geoset_of(1000);
  geoset.vertex_groups.assign(1000, 0);
  geoset.matrix_groups = {kBones};
  for (std::uint32_t i = 0; i < kBones; ++i) {
    geoset.matrix_indices.push_back(i);
  }
  const Converted made(geoset, kBones);
  EXPECT_EQ(made.mesh().influences, 64U);
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 1U);
}

TEST(SceneGeometry, GroupsAndSkinsAreCutAtTheirLimitAndNotBefore) {
  for (const std::int32_t bones : {64, 65}) {
    auto geoset = geoset_of(1);
    geoset.vertex_groups = {0};
    geoset.matrix_groups = {static_cast<std::uint32_t>(bones)};
    for (std::int32_t i = 0; i < bones; ++i) {
      geoset.matrix_indices.push_back(static_cast<std::uint32_t>(i));
    }
    EXPECT_EQ(Converted(geoset, bones).reports(codes::kSceneGeoset), bones == 64 ? 0U : 1U);
  }
  // Joints are numbered by 16 bits, of which one number is left out.
  for (const std::uint32_t bones : {65535U, 65536U}) {
    auto geoset = geoset_of(16384);
    geoset.vertex_groups.assign(16384, 255);
    geoset.wide_skin.emplace();
    for (std::uint32_t i = 0; i < 16384; ++i) {
      std::array<std::uint16_t, 8> vertex = {0, 0, 0, 0, 64, 64, 64, 63};
      for (std::uint32_t part = 0; part < 4; ++part) {
        vertex.at(part) = static_cast<std::uint16_t>(std::min(4 * i + part, bones - 1));
      }
      geoset.wide_skin->push_back(vertex);
    }
    const Converted made(geoset, static_cast<std::int32_t>(bones));
    EXPECT_EQ(made.scene.skins.at(0).joints.size(), 65535U);
    EXPECT_EQ(made.reports(codes::kSceneGeoset), bones == 65535 ? 0U : 1U);
  }
}

TEST(SceneGeometry, SkinWeightsComeInBytesAndWords) {
  auto geoset = geoset_of(2);
  geoset.vertex_groups = {255, 255};
  geoset.matrix_groups = {1, 1, 1};
  geoset.matrix_indices = {0, 1, 2};
  geoset.skin.emplace();
  geoset.skin->push_back({0, 1, 2, 0, 51, 102, 102, 0});
  geoset.skin->push_back({2, 2, 9, 0, 100, 100, 50, 0});  // a node twice, one that does not exist, sum 250
  const Converted bytes(geoset);
  EXPECT_EQ(bytes.weights(0), (Weights{{1, 51.0F / 255}, {2, 102.0F / 255}, {3, 102.0F / 255}}));
  EXPECT_EQ(bytes.weights(1), (Weights{{3, 1.0F}}));
  EXPECT_EQ(bytes.reports(codes::kSceneGeoset), 2U);
  geoset.skin.reset();
  geoset.wide_skin.emplace();
  geoset.wide_skin->assign(2, {299, 0, 0, 0, 255, 0, 0, 0});
  EXPECT_EQ(Converted(geoset, 300).weights(1), (Weights{{300, 1.0F}}));
}

TEST(SceneGeometry, ArraysOfOtherLengthArePaddedOrCut) {
  auto geoset = geoset_of(3);
  geoset.normals.resize(1);
  geoset.tangents.emplace();
  geoset.tangents->assign(5, Vec4{0, 1, 0, -1});
  geoset.uv_sets.resize(2);
  geoset.uv_sets[0].coordinates.assign(2, Vec2{0.5F, std::numeric_limits<float>::infinity()});
  geoset.positions[2][1] = std::numeric_limits<float>::quiet_NaN();
  const Converted made(geoset);
  EXPECT_EQ(made.mesh().normals.size(), 3U);
  EXPECT_EQ(made.mesh().tangents[2], (Vec4{0, 0, -1, -1}));
  ASSERT_EQ(made.mesh().uv_sets.size(), 2U);
  EXPECT_EQ(made.mesh().uv_sets[0][1], (Vec2{0.5F, 0}));
  EXPECT_EQ(made.mesh().uv_sets[0][2], (Vec2{0, 0}));
  EXPECT_EQ(made.mesh().positions[2], (Vec3{2, 2, 0}));
  EXPECT_EQ(made.reports(codes::kSceneGeoset), 4U);
}

mdx::GeosetAnimation animation_of(std::int32_t geoset, float alpha, std::uint32_t flags) {
  mdx::GeosetAnimation animation;
  animation.geoset_id = geoset;
  animation.alpha = alpha;
  animation.flags = flags;
  animation.color = {0.25F, 0.5F, 0.75F};
  return animation;
}

TEST(SceneGeometry, CoarserLevelsOfDetailStandAdjacentTheFinest) {
  mdx::Geosets geosets;
  for (const std::int32_t lod : {2, 0, -1, 0, 5}) {
    geosets.items.push_back(geoset_of(3));
    geosets.items.back().lod = lod;
  }
  Diagnostics findings;
  const auto scene = mdx::to_scene(test::make_document(geosets), {}, findings);
  ASSERT_EQ(scene.meshes.size(), 5U);
  const auto above = [&](std::size_t mesh) { return scene.nodes[scene.meshes[mesh].node].parent; };
  EXPECT_EQ(above(2), 0U) << "shown at all levels";
  EXPECT_EQ(above(1), above(3));
  const scene::Node& finest = scene.nodes.at(above(1));
  EXPECT_EQ(finest.parent, 0U);
  EXPECT_EQ(finest.lods, (std::vector<scene::Index>{above(0), above(4)}));
  for (const auto coarser : finest.lods) {
    EXPECT_EQ(scene.nodes.at(coarser).parent, scene::kNone);
  }
  EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
}

TEST(SceneGeometry, TheLastGeosetAnimationCounts) {
  const Converted made(geoset_of(1), 0,
                       {animation_of(0, 0.125F, mdx::GeosetAnimation::kUseColor), animation_of(5, 1, 0),
                        animation_of(0, 0.5F, mdx::GeosetAnimation::kDropShadow)});
  EXPECT_EQ(made.mesh().alpha, 0.5F);
  EXPECT_EQ(made.mesh().color, (Vec3{1, 1, 1}));  // the colour counts with flag 2 only
  EXPECT_EQ(made.reports(codes::kSceneReference), 2U);
}

TEST(SceneGeometry, AColourThatIsNoneIsWhite) {
  auto animation = animation_of(0, NAN, mdx::GeosetAnimation::kUseColor);
  animation.color = {NAN, 0.5F, -INFINITY};
  const Converted made(geoset_of(1), 0, {animation});
  EXPECT_EQ(made.mesh().alpha, 1);
  EXPECT_EQ(made.mesh().color, (Vec3{1, 0.5F, 1}));
}

TEST(SceneGeometry, StaticColoursAreRgbAndKeysBgr) {
  auto animation = animation_of(0, 1, mdx::GeosetAnimation::kUseColor);
  animation.tracks.push_back(
      test::make_track("KGAC", mdx::Interpolation::linear, {{0, {0.1F, 0.2F, 0.3F}}}, 0));
  mdx::SceneOptions options;
  Diagnostics diagnostics;
  const auto made = mdx::to_scene(
      test::make_document(test::make_globals({1000}), test::list_of<mdx::Geoset>({geoset_of(1)}),
                          test::list_of<mdx::GeosetAnimation>({animation})),
      options, diagnostics);
  EXPECT_EQ(made.meshes[0].color, (Vec3{0.25F, 0.5F, 0.75F}));
  ASSERT_EQ(made.clips.size(), 1U);
  EXPECT_EQ(made.clips[0].channels.at(0).curve.values, (Array<float>{0.3F, 0.2F, 0.1F}));
}

}  // namespace
}  // namespace thaw
