#include "scene/front.hpp"

#include "scene/pose.hpp"
#include "scene/skinned.hpp"

#include <gtest/gtest.h>
#include <cmath>

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

/// Of a body below a root that moves, at several times.
std::vector<Vec3d> vertices_at(const Scene& scene, float time) {
  const auto world = Poser(scene, &scene.clips[0]).world_matrices(time);
  return rest_mesh(scene, scene.meshes[0], world).positions;
}

TEST(Front, TurningMovesEveryVertexAtEveryTime) {
  Scene scene = body(0);
  scene.nodes[0].rest.translation = {3, 4, 5};
  scene.nodes.emplace_back().parent = 0;
  scene.nodes[1].rest.translation = {0, 2, 0};
  scene.meshes[0].node = 1;
  Clip& clip = scene.clips.emplace_back();
  clip.duration = 1;
  Curve moved{CurveMode::cubic, 3, {0, 1}, {}};
  moved.values = {0, 0, 0, 1, 2, 3, 4, 0, 1, 2, 0, -3, 7, 8, 9, 0, 0, 0};
  clip.channels.push_back({Target{Target::Kind::node, 0}, Property::translation, moved});
  clip.channels.push_back({Target{Target::Kind::node, 0}, Property::rotation,
                           Curve{CurveMode::linear, 4, {0, 1}, {0, 0, 0, 1, 0, 0.6F, 0, 0.8F}}});
  clip.channels.push_back(
      {Target{Target::Kind::node, 1}, Property::translation, Curve{CurveMode::linear, 3, {0}, {1, 2, 3}}});
  Scene turned = scene;
  turn(turned, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});  // +Y becomes +Z
  for (const float time : {0.0F, 0.3F, 1.0F}) {
    const auto before = vertices_at(scene, time);
    const auto after = vertices_at(turned, time);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after[i][0], before[i][0], 1e-4);
      EXPECT_NEAR(after[i][1], -before[i][2], 1e-4);
      EXPECT_NEAR(after[i][2], before[i][1], 1e-4);
    }
  }
}

}  // namespace
}  // namespace thaw::scene
