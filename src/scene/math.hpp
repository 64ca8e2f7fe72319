// Vectors, quaternions and matrices in double. Transcendental functions are computed here with plain
// arithmetic, because those of the C library differ between machines and the output must not.
#pragma once

#include <thaw/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace thaw::scene {

using Vec3d = std::array<double, 3>;
using Vec4d = std::array<double, 4>;
/// Column-major: element (row, column) is at column * 3 + row, column * 4 + row.
using Mat4d = std::array<double, 16>;

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kRadiansPerDegree = kPi / 180;

// --- functions (src/scene/math.cpp)

/// Any finite angle in radians.
double sine(double angle);
double cosine(double angle);
/// −π to π.
double arc_tangent(double y, double x);
/// The linear value of an sRGB value; both 0 to 1, values above 1 are kept.
double srgb_to_linear(double value);
/// The other way round; what is above 16 counts as 16.
double linear_to_srgb(double value);

// --- vectors

inline Vec3d widen(const Vec3& v) { return {double{v[0]}, double{v[1]}, double{v[2]}}; }
inline Vec4d widen(const Vec4& v) { return {double{v[0]}, double{v[1]}, double{v[2]}, double{v[3]}}; }
inline Mat4d widen(const Mat4& m) {
  Mat4d result{};
  std::transform(m.begin(), m.end(), result.begin(), [](float value) { return double{value}; });
  return result;
}
/// A finite float: what is not a number becomes 0, what is too large the largest.
inline float to_float(double value) {
  constexpr double kMax = std::numeric_limits<float>::max();
  return std::isnan(value) ? 0.0F : static_cast<float>(std::clamp(value, -kMax, kMax));
}

inline Vec3 narrow(const Vec3d& v) { return {to_float(v[0]), to_float(v[1]), to_float(v[2])}; }
inline Vec4 narrow(const Vec4d& v) {
  return {to_float(v[0]), to_float(v[1]), to_float(v[2]), to_float(v[3])};
}
inline Mat4 narrow(const Mat4d& m) {
  Mat4 result{};
  std::transform(m.begin(), m.end(), result.begin(), to_float);
  return result;
}

inline Vec3d add(const Vec3d& a, const Vec3d& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3d subtract(const Vec3d& a, const Vec3d& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3d multiply(const Vec3d& a, const Vec3d& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
inline Vec3d scaled(const Vec3d& a, double factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }
inline double dot(const Vec3d& a, const Vec3d& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vec3d& a) { return std::sqrt(dot(a, a)); }
/// `otherwise` for a vector without direction.
inline Vec3d unit(const Vec3d& v, const Vec3d& otherwise) {
  const double size = length(v);
  return size > 1e-12 && std::isfinite(size) ? scaled(v, 1 / size) : otherwise;
}
/// Any direction at right angles to a unit vector; not of unit length.
inline Vec3d perpendicular(const Vec3d& v) {
  return cross(v, std::fabs(v[0]) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
}
/// 1 for components that are 0.
inline Vec3d reciprocal(const Vec3d& v) {
  const auto invert = [](double x) { return x == 0 ? 1.0 : 1 / x; };
  return {invert(v[0]), invert(v[1]), invert(v[2])};
}

// --- quaternions, x y z w

inline double dot(const Vec4d& a, const Vec4d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}
/// The identity for a quaternion without direction.
inline Vec4d normalized(const Vec4d& q) {
  const double size = std::sqrt(dot(q, q));
  if (!(size > 1e-12) || !std::isfinite(size)) {
    return {0, 0, 0, 1};
  }
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}
inline Vec4d conjugate(const Vec4d& q) { return {-q[0], -q[1], -q[2], q[3]}; }
/// First b, then a.
inline Vec4d quaternion_product(const Vec4d& a, const Vec4d& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
/// The quaternion of the same rotation that is nearer to `last`. Of floats, since rounding may change the
/// side.
inline Vec4 on_side_of(const Vec4& last, const Vec4& next) {
  return dot(widen(last), widen(next)) < 0 ? Vec4{-next[0], -next[1], -next[2], -next[3]} : next;
}
/// Spherical interpolation of unit quaternions on the shorter way.
Vec4d slerp(const Vec4d& a, const Vec4d& b, double t);
/// Angle between the rotations, radians, 0 to π.
double rotation_angle(const Vec4d& a, const Vec4d& b);

// --- matrices

inline constexpr Mat4d kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// `rotation` must be of unit length.
Mat4d compose(const Vec3d& translation, const Vec4d& rotation, const Vec3d& scale);
inline Mat4d compose(const Transform& transform) {
  return compose(widen(transform.translation), normalized(widen(transform.rotation)), widen(transform.scale));
}
/// Both affine: their last row is 0 0 0 1.
Mat4d multiply(const Mat4d& a, const Mat4d& b);
/// Of an affine matrix; a singular one yields the identity.
Mat4d inverse(const Mat4d& matrix);
inline Vec3d transform_point(const Mat4d& m, const Vec3d& p) {
  return {m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12], m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
          m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14]};
}
inline Vec3d translation_of(const Mat4d& m) { return {m[12], m[13], m[14]}; }

/// Translation, rotation and scale that come closest; shear is lost, a mirror becomes a negative scale of x.
Transform decompose(const Mat4d& matrix);

}  // namespace thaw::scene
