#include "scene/front.hpp"

#include <gtest/gtest.h>

namespace thaw::scene {
namespace {

/// A body that is longer in front than to the sides, with a nose.
Scene body(unsigned quarters, std::size_t vertices = 30) {
  Scene scene;
  scene.nodes.emplace_back();
  Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  for (std::size_t i = 0; i < vertices; ++i) {
    const auto along = static_cast<float>(i);
    Vec3 p{along, i % 3 == 0 ? 1.0F : 0.0F, i % 2 == 0 ? 0.5F : -0.5F};
    for (unsigned quarter = 0; quarter < quarters; ++quarter) {
      p = {p[2], p[1], -p[0]};
    }
    mesh.positions.push_back(p);
  }
  return scene;
}

TEST(Front, IsFoundByWhereVerticesLie) {
  for (unsigned quarters = 0; quarters < 4; ++quarters) {
    EXPECT_EQ(quarter_turns(body(0), body(quarters)), quarters);
  }
  // Some were added and some removed.
  EXPECT_EQ(quarter_turns(body(0, 30), body(2, 24)), 2U);
}

TEST(Front, IsUnknownOfOtherModelsAndOfRoundOnes) {
  Scene far = body(0);
  for (Vec3& p : far.meshes[0].positions) {
    p[1] += 100;
  }
  EXPECT_EQ(quarter_turns(body(0), far), std::nullopt);
  Scene round;
  round.nodes.emplace_back();
  round.meshes.emplace_back().node = 0;
  round.meshes[0].positions = {{1, 0, 1}, {1, 0, -1}, {-1, 0, 1}, {-1, 0, -1}};
  EXPECT_EQ(quarter_turns(round, round), std::nullopt);
  EXPECT_EQ(quarter_turns(Scene(), body(0)), std::nullopt);
}

}  // namespace
}  // namespace thaw::scene
