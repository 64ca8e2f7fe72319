#include "scene/pose.hpp"

#include <gtest/gtest.h>

namespace thaw::scene {
namespace {

/// root – arm at (1, 0, 0) – hand at (0, 1, 0) from it; the arm turns by a quarter about Z, doubles its size
/// and moves up by 5.
struct Waving {
  Scene scene;
  Clip clip;

  Waving() {
    scene.nodes.resize(3);
    scene.nodes[0].kind = NodeKind::root;
    scene.nodes[1].parent = 0;
    scene.nodes[1].rest.translation = {1, 0, 0};
    scene.nodes[2].parent = 1;
    scene.nodes[2].rest.translation = {0, 1, 0};
    const float half = std::sqrt(0.5F);
    add(Property::rotation, {0, 0, half, half});
    add(Property::scale, {2, 2, 2});
    add(Property::translation, {1, 5, 0});
  }
  void add(Property property, std::initializer_list<float> value) {
    Curve curve;
    curve.components = static_cast<unsigned>(value.size());
    curve.times = {0};
    curve.values = value;
    clip.channels.push_back({{Target::Kind::node, 1, 0}, property, curve});
  }
  /// Where a point of the hand lands.
  [[nodiscard]] Vec3d hand(const Vec3d& point) const {
    return transform_point(Poser(scene, &clip).world_matrices(0)[2], point);
  }
};

void expect_near(const Vec3d& a, const Vec3d& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-6) << i;
  }
}

TEST(ScenePose, EverythingIsInherited) {
  const Waving waving;
  expect_near(waving.hand({0, 0, 0}), {-1, 5, 0});
  expect_near(waving.hand({1, 0, 0}), {-1, 7, 0});
}

TEST(ScenePose, WithoutRotation) {
  Waving waving;
  waving.scene.nodes[2].inherit_rotation = false;
  expect_near(waving.hand({0, 0, 0}), {-1, 5, 0});
  expect_near(waving.hand({1, 0, 0}), {1, 5, 0});
}

TEST(ScenePose, WithoutScale) {
  Waving waving;
  waving.scene.nodes[2].inherit_scale = false;
  expect_near(waving.hand({0, 0, 0}), {-1, 5, 0});
  expect_near(waving.hand({1, 0, 0}), {-1, 6, 0});
}

TEST(ScenePose, WithoutTranslation) {
  Waving waving;
  waving.scene.nodes[2].inherit_translation = false;
  expect_near(waving.hand({0, 0, 0}), {-1, 0, 0});
}

TEST(ScenePose, ThePlaceOfTheWholeModelIsInheritedInAnyCase) {
  Waving waving;
  waving.scene.nodes[0].rest.scale = {3, 3, 3};
  waving.scene.nodes[2].inherit_scale = false;
  waving.scene.nodes[2].inherit_rotation = false;
  expect_near(waving.hand({1, 0, 0}), {0, 15, 0});
}

TEST(ScenePose, OneNodeAsAllNodes) {
  Waving waving;
  waving.scene.nodes[2].inherit_scale = false;
  waving.scene.nodes[2].inherit_translation = false;
  const Poser poser(waving.scene, &waving.clip);
  const auto all = poser.world_matrices(0);
  for (Index node = 0; node < 3; ++node) {
    EXPECT_EQ(poser.place(node, 0).world, all[node]);
  }
  EXPECT_FALSE(poser.moves(0));
  EXPECT_TRUE(poser.moves(2));
  EXPECT_EQ(poser.curves(2).size(), 3U);
}

}  // namespace
}  // namespace thaw::scene
