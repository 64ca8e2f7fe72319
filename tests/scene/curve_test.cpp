#include "scene/curve.hpp"

#include <gmock/gmock.h>
#include <cmath>
#include <limits>

namespace thaw::scene {
namespace {

using ::testing::ElementsAre;

Curve scalar(CurveMode mode, std::initializer_list<float> times, std::initializer_list<float> values) {
  Curve curve;
  curve.mode = mode;
  curve.times = times;
  curve.values = values;
  return curve;
}

TEST(SceneCurve, Evaluation) {
  const Curve step = scalar(CurveMode::step, {1, 2}, {5, 7});
  EXPECT_EQ(evaluate_scalar(step, 0), 5);
  EXPECT_EQ(evaluate_scalar(step, 1.99F), 5);
  EXPECT_EQ(evaluate_scalar(step, 2), 7);
  EXPECT_EQ(evaluate_scalar(step, 9), 7);
  const Curve linear = scalar(CurveMode::linear, {1, 3}, {5, 7});
  EXPECT_EQ(evaluate_scalar(linear, 1.5F), 5.5F);
  // t³ over two seconds: 0 at 0, 8 at 2, slopes 0 and 12.
  const Curve cubic = scalar(CurveMode::cubic, {0, 2}, {9, 0, 0, 12, 8, 9});
  EXPECT_FLOAT_EQ(evaluate_scalar(cubic, 1), 1);
  EXPECT_FLOAT_EQ(evaluate_scalar(cubic, 1.5F), 3.375F);
}

TEST(SceneCurve, RotationsTakeTheShorterWay) {
  Curve curve;
  curve.components = 4;
  curve.times = {0, 1};
  curve.values = {0, 0, 0, 1, 0, 0, -std::sin(0.5F), -std::cos(0.5F)};
  const Vec4 middle = evaluate_rotation(curve, 0.5F);
  EXPECT_NEAR(std::fabs(middle[2]), std::sin(0.25), 1e-6);
  EXPECT_NEAR(std::fabs(middle[3]), std::cos(0.25), 1e-6);
}

TEST(SceneCurve, CleanedLeavesOutWhatBreaksTheRules) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Curve dirty = scalar(CurveMode::linear, {-1, 0, 0, 1, nan, 2, 3}, {1, 2, 3, nan, 5, 6});
  const Curve curve = cleaned(dirty, false);
  EXPECT_THAT(curve.times, ElementsAre(0, 2));
  EXPECT_THAT(curve.values, ElementsAre(2, 6));
  Curve rotation;
  rotation.components = 4;
  rotation.times = {0, 1};
  rotation.values = {0, 0, 0, 0, 0, 3, 4, 0};
  EXPECT_THAT(cleaned(rotation, true).values, ElementsAre(0, 0, 0, 1, 0, 0.6F, 0.8F, 0));
  rotation.components = 0;
  EXPECT_TRUE(cleaned(rotation, false).empty());
}

TEST(SceneCurve, RedundantKeys) {
  Curve linear = scalar(CurveMode::linear, {0, 1, 2, 3, 4, 5, 6}, {1, 1, 1, 2, 3, 3, 3});
  drop_redundant_keys(linear);
  EXPECT_THAT(linear.times, ElementsAre(0, 2, 3, 4));
  Curve step = scalar(CurveMode::step, {0, 1, 2, 3}, {1, 1, 2, 2});
  drop_redundant_keys(step);
  EXPECT_THAT(step.times, ElementsAre(0, 2));
  Curve cubic = scalar(CurveMode::cubic, {0, 1, 2}, {0, 1, 0, 0, 1, 5, 0, 1, 0});
  drop_redundant_keys(cubic);
  EXPECT_THAT(cubic.times, ElementsAre(0, 1, 2));  // a tangent leaves the value
  EXPECT_FALSE(is_constant(cubic, std::array{1.0F}));
  cubic.values[5] = 0;
  EXPECT_TRUE(is_constant(cubic, std::array{1.0F}));
  drop_redundant_keys(cubic);
  EXPECT_THAT(cubic.times, ElementsAre(0));
}

TEST(SceneCurve, StepsSurviveLinearCompany) {
  const Curve step = scalar(CurveMode::step, {0, 1}, {1, 0});
  const Curve linear = scalar(CurveMode::linear, {0, 2}, {0, 2});
  const std::array<const Curve*, 2> curves = {&step, &linear};
  const Curve product = combined(curves, 1, 1e-3F, [&](float time, std::span<float> out) {
    out[0] = evaluate_scalar(step, time) * evaluate_scalar(linear, time);
  });
  EXPECT_EQ(product.mode, CurveMode::linear);
  EXPECT_NEAR(evaluate_scalar(product, 0.75F), 0.75, 1e-3);
  EXPECT_NEAR(evaluate_scalar(product, 0.999F), 0.999, 1e-3);
  EXPECT_EQ(evaluate_scalar(product, 1), 0);
  const std::array<const Curve*, 1> alone = {&step};
  EXPECT_EQ(combined(alone, 1, 1e-3F,
                     [&](float time, std::span<float> out) { out[0] = evaluate_scalar(step, time); })
                .mode,
            CurveMode::step);
}

TEST(SceneCurve, SamplingMeetsItsTolerance) {
  const Curve linear = scalar(CurveMode::linear, {0, 4}, {0, 4});
  const std::array<const Curve*, 1> curves = {&linear};
  const auto square = [&](float time, std::span<float> out) {
    const float x = evaluate_scalar(linear, time);
    out[0] = x * x;
  };
  const Curve result = combined(curves, 1, 0.01F, square);
  for (int i = 0; i <= 400; ++i) {
    const float time = static_cast<float>(i) / 100;
    EXPECT_NEAR(evaluate_scalar(result, time), time * time, 0.0101) << time;
  }
  EXPECT_LT(result.times.size(), 66U);
}

TEST(SceneCurve, CubicOnesLeaveAndArriveWithTheirSlopes) {
  // What arrives at the first key and leaves the last plays no part.
  const Curve curve = scalar(CurveMode::cubic, {1, 3}, {9, 5, 1, -0.5F, 7, 9});
  const auto at = [&](float time) { return evaluate_scalar(curve, time); };
  // By the formula of the glTF specification, appendix C, at a quarter of the two seconds.
  constexpr double kT = 0.25;
  const double expected = (2 * kT * kT * kT - 3 * kT * kT + 1) * 5 +
                          2 * (kT * kT * kT - 2 * kT * kT + kT) * 1 + (-2 * kT * kT * kT + 3 * kT * kT) * 7 +
                          2 * (kT * kT * kT - kT * kT) * -0.5;
  EXPECT_NEAR(at(1.5F), expected, 1e-6);
  EXPECT_NEAR((at(1.001F) - at(1)) / 0.001F, 1, 0.01);
  EXPECT_NEAR((at(3) - at(2.999F)) / 0.001F, -0.5, 0.01);
}

}  // namespace
}  // namespace thaw::scene
