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
  EXPECT_NEAR(linear_to_srgb(0.003), 0.003 * 12.92, 1e-15) << "dark";
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

TEST(SceneMath, DecomposesTurnsAboutEveryAxis) {
  // Half turns have a trace of −1: each takes another way to its quaternion.
  for (const Vec4d& turn : {Vec4d{1, 0.1, 0.2, 0.05}, Vec4d{0.1, 1, 0.2, 0.05}, Vec4d{0.2, 0.1, 1, -0.05},
                            Vec4d{0.3, 0.2, 0.1, 1}}) {
    const Vec4d rotation = normalized(turn);
    const Transform transform = decompose(compose({1, 2, 3}, rotation, {2, 3, 4}));
    EXPECT_NEAR(rotation_angle(widen(transform.rotation), rotation), 0, 1e-6);
    EXPECT_EQ(transform.translation, (Vec3{1, 2, 3}));
  }
}

TEST(SceneMath, FramesAreCompletedWhereAColumnHasNoLength) {
  for (const Vec4d& turn :
       {Vec4d{0, 0, 0, 1}, Vec4d{0, std::sqrt(0.5), 0, std::sqrt(0.5)}, Vec4d{0.3, 0.2, 0.1, 1}}) {
    for (const Vec3d& scale :
         {Vec3d{2, 0, 3}, Vec3d{2, 3, 0}, Vec3d{2, 0, 0}, Vec3d{0, 0, 2}, Vec3d{0, 2, 2}}) {
      const Mat4d matrix = compose({}, normalized(turn), scale);
      const Transform transform = decompose(matrix);
      EXPECT_NEAR(dot(widen(transform.rotation), widen(transform.rotation)), 1, 1e-6);
      if (scale[0] > 0) {
        const Mat4d again = compose(transform);
        EXPECT_NEAR(again[0], matrix[0], 1e-5);
        EXPECT_NEAR(again[1], matrix[1], 1e-5);
        EXPECT_NEAR(again[2], matrix[2], 1e-5);
      }
    }
  }
}

TEST(SceneMath, NumbersThatAreNoneBecomeFloats) {
  EXPECT_EQ(to_float(std::nan("")), 0);
  EXPECT_EQ(to_float(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(to_float(-1e300), -std::numeric_limits<float>::max());
  EXPECT_EQ(reciprocal({0, 2, -4}), (Vec3d{1, 0.5, -0.25}));
  EXPECT_EQ(unit({0, 0, -4}, {1, 0, 0}), (Vec3d{0, 0, -1}));
  EXPECT_EQ(unit({0, 0, 1e-13}, {1, 0, 0}), (Vec3d{1, 0, 0}));
  EXPECT_EQ(unit({INFINITY, 0, 0}, {1, 0, 0}), (Vec3d{1, 0, 0}));
  EXPECT_EQ(normalized({0, 0, 0, 0}), (Vec4d{0, 0, 0, 1}));
  EXPECT_EQ(normalized({0, 0, 3, 4}), (Vec4d{0, 0, 0.6, 0.8}));
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, unit({1, 2, 3}, {})}) {
    EXPECT_EQ(dot(perpendicular(axis), axis), 0);
    EXPECT_GT(length(perpendicular(axis)), 0.4);
  }
}

TEST(SceneMath, ProductsAreTheTurnsOneAfterTheOther) {
  const Vec4d a = normalized({0.1, 0.7, -0.3, 0.6});
  const Vec4d b = normalized({-0.4, 0.2, 0.5, 0.3});
  const Mat4d turns = multiply(compose({}, a, {1, 1, 1}), compose({}, b, {1, 1, 1}));
  const Mat4d both = compose({}, quaternion_product(a, b), {1, 1, 1});
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_NEAR(both[i], turns[i], 1e-14) << i;
  }
  EXPECT_EQ(quaternion_product(conjugate(a), a)[0], 0);
  EXPECT_NEAR(quaternion_product(conjugate(a), a)[3], 1, 1e-15);
  const Vec3d p = {1, 2, 3};
  const Vec3d turned = transform_point(turns, p);
  const Vec3d steps =
      transform_point(compose({}, a, {1, 1, 1}), transform_point(compose({}, b, {1, 1, 1}), p));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(turned[i], steps[i], 1e-14);
  }
  // By hand: a column-major matrix with a number of its own in each place.
  EXPECT_EQ(transform_point({1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 1}, {1, 10, 100}),
            (Vec3d{1 + 50 + 900 + 13, 2 + 60 + 1000 + 14, 3 + 70 + 1100 + 15}));
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
