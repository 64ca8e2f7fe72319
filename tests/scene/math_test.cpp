#include "scene/math.hpp"

#include <gtest/gtest.h>

namespace thaw::scene {
namespace {

TEST(SceneMath, FunctionsAgreeWithTheCLibrary) {
  for (int i = -4000; i <= 4000; ++i) {
    const double x = i * 0.013;
    EXPECT_NEAR(sine(x), std::sin(x), 1e-14) << x;
    EXPECT_NEAR(cosine(x), std::cos(x), 1e-14) << x;
    EXPECT_NEAR(arc_tangent(std::sin(x) * 3, std::cos(x) * 3), std::atan2(std::sin(x) * 3, std::cos(x) * 3),
                1e-14);
  }
  EXPECT_EQ(arc_tangent(0, 0), 0);
  EXPECT_NEAR(arc_tangent(0, -1), kPi, 1e-15);
  for (int i = 0; i <= 1000; ++i) {
    const double x = i / 1000.0;
    const double expected = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(srgb_to_linear(x), expected, 1e-14) << x;
  }
  EXPECT_EQ(srgb_to_linear(1), 1);
  for (int i = 0; i <= 1600; ++i) {
    const double x = i / 100.0;
    const double expected = x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    EXPECT_NEAR(linear_to_srgb(x), expected, 1e-13) << x;
  }
  EXPECT_EQ(linear_to_srgb(std::nan("")), 0);
  EXPECT_EQ(linear_to_srgb(1e300), linear_to_srgb(16));
}

TEST(SceneMath, SlerpIsEvenAndShort) {
  const Vec4d from = {0, 0, 0, 1};
  const Vec4d to = {0, 0, -std::sin(0.5), -std::cos(0.5)};  // one radian, on the other side
  for (int i = 0; i <= 10; ++i) {
    EXPECT_NEAR(rotation_angle(from, slerp(from, to, i / 10.0)), i / 10.0, 1e-12);
  }
  EXPECT_NEAR(rotation_angle(slerp(from, from, 0.3), from), 0, 1e-15);
}

TEST(SceneMath, ComposeInvertDecompose) {
  const Transform transform = {{1, -2, 3}, {0.5F, -0.5F, 0.1F, std::sqrt(0.49F)}, {2, 0.5F, 3}};
  const Mat4d matrix = compose(transform);
  const Mat4d unit = multiply(matrix, inverse(matrix));
  for (std::size_t i = 0; i < unit.size(); ++i) {
    EXPECT_NEAR(unit[i], kIdentity[i], 1e-12);
  }
  const Mat4d again = compose(decompose(matrix));
  for (std::size_t i = 0; i < unit.size(); ++i) {
    EXPECT_NEAR(again[i], matrix[i], 1e-5);
  }
}

TEST(SceneMath, MirrorsAndDegenerateMatrices) {
  const Transform mirrored = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, -2}};
  const Mat4d matrix = compose(mirrored);
  const Mat4d again = compose(decompose(matrix));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    EXPECT_NEAR(again[i], matrix[i], 1e-6);
  }
  const Transform flat = decompose(compose({1, 2, 3}, {0, 0, 0, 1}, {0, 0, 0}));
  EXPECT_EQ(flat.scale, (Vec3{0, 0, 0}));
  EXPECT_EQ(flat.translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(inverse(compose({1, 2, 3}, {0, 0, 0, 1}, {0, 1, 1})), kIdentity);
}

}  // namespace
}  // namespace thaw::scene
