// What meshes are for, levels of detail, what a transform does to normals, and what a scene says of its
// scale.
#include <gtest/gtest.h>

#include "scene/roles.hpp"
#include "scene/source.hpp"
#include "scene/uv.hpp"

namespace thaw::scene {
namespace {

TEST(Roles, CollisionIsSaidByNameOrNode) {
  Scene scene;
  scene.nodes.resize(2);
  scene.nodes[1].kind = NodeKind::collision;
  const auto mesh = [](const char* name, Index node) {
    Mesh one;
    one.name = name;
    one.node = node;
    return one;
  };
  EXPECT_TRUE(is_collision(scene, mesh("Collision_01", 0)));
  EXPECT_TRUE(is_collision(scene, mesh("wall", 1)));
  EXPECT_FALSE(is_collision(scene, mesh("wall", 0)));
  EXPECT_FALSE(is_collision(scene, mesh("wall collision", 0)));
  EXPECT_FALSE(is_collision(scene, mesh("wall", 2))) << "a node that is not there";
}

/// 0 root; 1 with the levels 3 and 4; 2 below 1; 5 below 3; 6 below 0 with the level 7.
Scene leveled() {
  Scene scene;
  scene.nodes.resize(8);
  scene.nodes[1].parent = 0;
  scene.nodes[2].parent = 1;
  scene.nodes[5].parent = 3;
  scene.nodes[6].parent = 0;
  scene.nodes[1].lods = {3, 4};
  scene.nodes[6].lods = {7};
  return scene;
}

TEST(Roles, LevelsAreThoseOfTheNodesAbove) {
  const auto levels = levels_of_detail(leveled());
  const auto is = [&](std::size_t node, Index owner, std::size_t level) {
    return levels.at(node).owner == owner && levels.at(node).level == level;
  };
  EXPECT_TRUE(is(0, kNone, 0));
  EXPECT_TRUE(is(1, 1, 0));
  EXPECT_TRUE(is(2, 1, 0)) << "below the finest";
  EXPECT_TRUE(is(3, 1, 1));
  EXPECT_TRUE(is(4, 1, 2));
  EXPECT_TRUE(is(5, 1, 1)) << "below the second";
  EXPECT_TRUE(is(6, 6, 0)) << "what has levels of its own is not of the root";
  EXPECT_TRUE(is(7, 6, 1));
}

TEST(Roles, LevelsWithinLevelsAreThoseOfTheOuter) {
  Scene scene = leveled();
  scene.nodes[6].parent = 3;
  const auto levels = levels_of_detail(scene);
  EXPECT_EQ(levels[6].owner, 1U);
  EXPECT_EQ(levels[6].level, 1U);
  scene.nodes[1].lods = {3, 99};
  EXPECT_EQ(levels_of_detail(scene)[3].level, 1U) << "one that is not there takes nothing away";
}

TEST(Roles, NamesReportLevels) {
  const auto is = [](const char* name, const char* stem, std::size_t level) {
    return level_in_name(name) == std::pair(std::string(stem), level);
  };
  EXPECT_TRUE(is("body_lod2", "body", 2));
  EXPECT_TRUE(is("body_LOD0", "body", 0));
  EXPECT_TRUE(is("body_Lod9", "body", 9));
  EXPECT_TRUE(is("_lod1", "", 1));
  EXPECT_TRUE(is("body_lodx", "body_lodx", 0));
  EXPECT_TRUE(is("body_lod:", "body_lod:", 0)) << "the character behind 9";
  EXPECT_TRUE(is("body_led2", "body_led2", 0));
  EXPECT_TRUE(is("lod1", "lod1", 0));
  EXPECT_TRUE(is("", "", 0));
}

TEST(Roles, ASceneHasLevelsByNodesOrNames) {
  EXPECT_TRUE(has_levels(leveled()));
  Scene scene;
  scene.nodes.resize(1);
  scene.meshes.resize(1);
  scene.meshes[0].name = "body_lod0";
  EXPECT_FALSE(has_levels(scene));
  scene.meshes[0].name = "body_lod1";
  EXPECT_TRUE(has_levels(scene));
}

TEST(Roles, NormalsStayAtRightAnglesToSurfaces) {
  // Stretched, turned and mirrored: two directions in a surface, and its normal.
  const Vec3d one = {1, 2, -1};
  const Vec3d two = {0.5, -1, 3};
  const Vec3d normal = cross(one, two);
  for (const Vec3d& scale : {Vec3d{2, 3, 5}, Vec3d{-2, 3, 5}, Vec3d{-2, -3, 5}}) {
    const Mat4d m = compose({7, 8, 9}, normalized({0.1, 0.7, -0.3, 0.6}), scale);
    const Vec3d turned = transform_point(directions_of(m), normal);
    const auto direction = [&](const Vec3d& v) { return subtract(transform_point(m, v), translation_of(m)); };
    const double size = length(turned);
    EXPECT_NEAR(dot(turned, direction(one)) / size, 0, 1e-12);
    EXPECT_NEAR(dot(turned, direction(two)) / size, 0, 1e-12);
    EXPECT_GT(dot(turned, direction(normal)), 0) << "on the same side";
    EXPECT_EQ(mirrors(m), scale[0] * scale[1] * scale[2] < 0);
  }
}

TEST(StatedScale, IsThatOfTheSourcesFormat) {
  Scene scene;
  EXPECT_EQ(stated_scale(scene), std::nullopt);
  scene.source.scale = 0.5F;
  EXPECT_EQ(stated_scale(scene, "wmo"), 0.5F) << "a file without extras does not state the format";
  scene.source.format = "mdx";
  EXPECT_EQ(stated_scale(scene), 0.5F);
  EXPECT_EQ(stated_scale(scene, "mdx"), 0.5F);
  EXPECT_EQ(stated_scale(scene, "wmo"), std::nullopt);
}

TEST(UvTransform, MovesTurnsAndScalesAboutTheMiddle) {
  const auto near = [](const Vec2& a, const Vec2& b) {
    return std::fabs(a[0] - b[0]) < 1e-6F && std::fabs(a[1] - b[1]) < 1e-6F;
  };
  const Vec2 uv = {0.75F, 0.6F};
  EXPECT_TRUE(near(transformed(uv, {}), uv));
  EXPECT_TRUE(near(transformed(uv, {{0.25F, -0.1F}, 0, {1, 1}}), {1, 0.5F}));
  EXPECT_TRUE(near(transformed(uv, {{0, 0}, 0, {2, 3}}), {1, 0.8F}));
  // A quarter turn: (u, v) from the middle becomes (−v, u).
  EXPECT_TRUE(near(transformed(uv, {{0, 0}, static_cast<float>(kPi / 2), {1, 1}}), {0.4F, 0.75F}));
  const Vec2 all = transformed(uv, {{0.1F, 0.2F}, static_cast<float>(kPi / 6), {2, 1}});
  EXPECT_TRUE(near(all, {static_cast<float>((0.35 * std::cos(kPi / 6) - 0.3 * 0.5) * 2 + 0.5),
                         static_cast<float>(0.35 * 0.5 + 0.3 * std::cos(kPi / 6) + 0.5)}));
}

}  // namespace
}  // namespace thaw::scene
