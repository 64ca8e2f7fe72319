// Where a model goes, and the axes of games.
#include <gtest/gtest.h>

#include "scene/axes.hpp"
#include "scene/bounds.hpp"
#include "scene/similarity.hpp"

namespace thaw::scene {
namespace {

const double kHalf = std::sqrt(0.5);
/// A quarter turn about z: x becomes y, y becomes −x.
const thaw::Placement kQuarter = {{0, 0, kHalf, kHalf}, 1, {}};

TEST(Axes, GoUpAndBack) {
  const Vec3 point = {1, 2, 3};
  EXPECT_EQ(to_y_up(point), (Vec3{1, 3, -2}));
  EXPECT_EQ(to_y_up(point, Axes::x_front), (Vec3{2, 3, 1}));
  EXPECT_EQ(to_y_up_scale(point, Axes::x_right), (Vec3{1, 3, 2})) << "a factor has no direction";
  EXPECT_EQ(to_y_up_scale(point, Axes::x_front), (Vec3{2, 3, 1}));
  for (const Axes axes : {Axes::x_right, Axes::x_front}) {
    EXPECT_EQ(to_z_up(to_y_up(point, axes), axes), point);
  }
  EXPECT_FALSE(std::signbit(to_y_up(Vec3{0, 0, 0})[2])) << "no negative zero";
}

TEST(Axes, AQuarterTurnBringsTheFrontToTheFront) {
  const Vec3d point = {1, 2, 3};
  const auto turned = [&](Axes from, Axes to) { return transform_point(front_turned(from, to), point); };
  EXPECT_EQ(turned(Axes::x_right, Axes::x_right), point);
  EXPECT_EQ(turned(Axes::x_right, Axes::x_front), (Vec3d{-3, 2, 1}));
  EXPECT_EQ(turned(Axes::x_front, Axes::x_right), (Vec3d{3, 2, -1}));
  EXPECT_EQ(to_y_up(to_z_up(point, Axes::x_right), Axes::x_front), turned(Axes::x_right, Axes::x_front));
}

TEST(Bounds, HoldEveryPointAndTheFarthest) {
  BoundsOfPoints bounds;
  EXPECT_EQ(bounds.bounds().radius, 0);
  bounds.add({-3, 5, 4});
  EXPECT_EQ(bounds.bounds().minimum, bounds.bounds().maximum) << "the origin is none of the points";
  bounds.add({2, 1, -6});
  EXPECT_EQ(bounds.bounds().minimum, (Vec3{-3, 1, -6}));
  EXPECT_EQ(bounds.bounds().maximum, (Vec3{2, 5, 4}));
  EXPECT_FLOAT_EQ(bounds.bounds().radius, std::sqrt(50.0F));
}

TEST(Similarity, RightAnglesAreExact) {
  const Similarity way = similarity_of(kQuarter);
  EXPECT_TRUE(way.turns);
  EXPECT_TRUE(way.keeps_axes());
  EXPECT_EQ(way.point(Vec3d{1, 2, 3}), (Vec3d{-2, 1, 3}));
  const Similarity slanted = similarity_of({{0, 0, std::sin(0.5), std::cos(0.5)}, 1, {}});
  EXPECT_FALSE(slanted.keeps_axes());
  const Vec3d turned = slanted.point(Vec3d{1, 0, 0});
  EXPECT_NEAR(turned[0], std::cos(1.0), 1e-15);
  EXPECT_NEAR(turned[1], std::sin(1.0), 1e-15);
  EXPECT_EQ(snapped(1 - 1e-13), 1);
  EXPECT_EQ(snapped(1 - 1e-11), 1 - 1e-11);
}

TEST(Similarity, TurnsThenScalesThenMoves) {
  thaw::Placement placement = kQuarter;
  placement.scale = 3;
  placement.move = {10, 20, 30};
  const Similarity way = similarity_of(placement);
  EXPECT_EQ(way.point(Vec3d{1, 2, 3}), (Vec3d{4, 23, 39}));
  EXPECT_EQ(way.point(Vec3{1, 2, 3}), (Vec3{4, 23, 39}));
  EXPECT_EQ(way.direction({1, 2, 3}), (Vec3d{-6, 3, 9})) << "not moved";
  EXPECT_EQ(way.turned({1, 2, 3}), (Vec3d{-2, 1, 3})) << "nor scaled";
  EXPECT_EQ(way.length(2), 6);
}

TEST(Similarity, SaysWhatItDoes) {
  thaw::Placement placement;
  EXPECT_EQ(similarity_of(placement).words(), "");
  EXPECT_TRUE(similarity_of(placement).is_identity());
  EXPECT_TRUE(std::signbit(similarity_of(placement).point(Vec3d{-0.0, 0, 0})[0]))
      << "numbers stay as they are";
  placement.move[1] = 1;
  EXPECT_EQ(similarity_of(placement).words(), "moved");
  EXPECT_FALSE(similarity_of(placement).is_identity());
  placement.scale = 2;
  EXPECT_EQ(similarity_of(placement).words(), "scaled, moved");
  placement.move = {};
  EXPECT_FALSE(similarity_of(placement).is_identity());
  placement.turn = kQuarter.turn;
  EXPECT_EQ(similarity_of(placement).words(), "turned, scaled");
  EXPECT_FALSE(similarity_of(kQuarter).is_identity());
  EXPECT_EQ(similarity_of({{0, 0, 0, -1}, 1, {}}).words(), "") << "the whole turn is none";
}

TEST(Similarity, ABoxIsThatOfItsCorners) {
  const auto [low, high] = transformed_box(similarity_of(kQuarter), {1, 2, 3}, {4, 6, 9});
  EXPECT_EQ(low, (Vec3{-6, 1, 3}));
  EXPECT_EQ(high, (Vec3{-2, 4, 9}));
  // An eighth of a turn of a square about its middle: √2 times as wide.
  const Similarity eighth = similarity_of({{0, std::sin(kPi / 8), 0, std::cos(kPi / 8)}, 1, {}});
  const auto [from, to] = transformed_box(eighth, {-1, -1, -1}, {1, 1, 1});
  EXPECT_NEAR(from[0], -std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(to[2], std::sqrt(2.0), 1e-6);
  EXPECT_EQ(to[1], 1);
}

}  // namespace
}  // namespace thaw::scene
