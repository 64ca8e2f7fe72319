#include "scene/weights.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace thaw::scene {
namespace {

Mesh mesh_of(Array<std::uint16_t> joints, Array<float> weights) {
  Mesh mesh;
  mesh.influences = 2;
  mesh.positions.resize(weights.size() / 2, Vec3{});
  mesh.joints = std::move(joints);
  mesh.weights = std::move(weights);
  return mesh;
}

TEST(Weights, WhatIsAsPromisedStays) {
  const float third = 1.0F / 3;
  auto mesh = mesh_of({0, 1, 1, 0}, {third, 1 - third, 1, 0});
  const auto before = mesh.weights;
  EXPECT_EQ(settle_weights(mesh, 2), 0U);
  EXPECT_EQ(mesh.weights, before);
  EXPECT_EQ(mesh.joints, (Array<std::uint16_t>{0, 1, 1, 0}));
}

TEST(Weights, SharesBecomeShares) {
  auto mesh = mesh_of({0, 1}, {3, 1});
  EXPECT_EQ(settle_weights(mesh, 2), 0U);
  EXPECT_EQ(mesh.weights, (Array<float>{0.75F, 0.25F}));
}

TEST(Weights, WhatCannotBeKeptIsDropped) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  auto mesh = mesh_of({2, 1, 1, 0, 0, 1, 1, 1}, {0.5F, 0.5F, none, 0.25F, -1, 1, 0, 0});
  EXPECT_EQ(settle_weights(mesh, 2), 3U);
  EXPECT_EQ(mesh.joints, (Array<std::uint16_t>{0, 1, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(mesh.weights, (Array<float>{0, 1, 0, 1, 0, 1, 1, 0}));
}

TEST(Weights, SharesOfABytePartAreEqualAgain) {
  constexpr float kPart = 1.0F / 255;
  auto mesh = mesh_of({0, 1, 1, 0, 0, 1}, {128 * kPart, 127 * kPart, 0.5F, 0.5F, 0, 1});
  equalise_weights(mesh);
  EXPECT_EQ(mesh.weights, (Array<float>{0.5F, 0.5F, 0.5F, 0.5F, 0, 1}));
  // One vertex that is not shared equally, and all stay.
  auto other = mesh_of({0, 1, 1, 0}, {128 * kPart, 127 * kPart, 129 * kPart, 126 * kPart});
  const auto before = other.weights;
  equalise_weights(other);
  EXPECT_EQ(other.weights, before);
}

}  // namespace
}  // namespace thaw::scene
