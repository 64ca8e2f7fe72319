// Axes, units and quaternions on the way from the game's space (Z up) to the scene's (Y up).
#pragma once

#include "scene/math.hpp"

#include <cmath>
#include <limits>

namespace thaw::mdx {

/// Curves are computed in double, so that only the last rounding shows.
using Double3 = scene::Vec3d;
using Double4 = scene::Vec4d;

using scene::dot;
using scene::normalized;
using scene::slerp;

/// A finite float: what is not a number becomes 0, what is too large the largest.
inline float to_float(double value) {
  constexpr double kMax = std::numeric_limits<float>::max();
  if (std::isnan(value)) {
    return 0;
  }
  return static_cast<float>(std::clamp(value, -kMax, kMax));
}

inline float finite_or(float value, float otherwise) { return std::isfinite(value) ? value : otherwise; }

/// A finite length in metres.
inline float to_length(float value, double scale) { return to_float(double{finite_or(value, 0)} * scale); }

/// 0 − y instead of −y, so that no negative zeros arise.
template <class T>
T turned(T value) {
  return T{0} - value;
}

/// Which axis of the scene the game's X, to which models look, becomes.
enum class Axes : std::uint8_t {
  x_right,  ///< (x, y, z) → (x, z, −y)
  x_front,  ///< (x, y, z) → (y, z, x)
};

/// A direction or offset, or the vector part of a rotation.
template <class T>
std::array<T, 3> to_y_up(const std::array<T, 3>& v, Axes axes = Axes::x_right) {
  return axes == Axes::x_right ? std::array<T, 3>{v[0], v[2], turned(v[1])}
                               : std::array<T, 3>{v[1], v[2], v[0]};
}

/// Factors along the axes.
template <class T>
std::array<T, 3> to_y_up_scale(const std::array<T, 3>& v, Axes axes) {
  return axes == Axes::x_right ? std::array<T, 3>{v[0], v[2], v[1]} : std::array<T, 3>{v[1], v[2], v[0]};
}

/// A position: axes turned, units to metres, non-finite components to 0.
inline Vec3 to_position(const Vec3& v, double scale, Axes axes = Axes::x_right) {
  return to_y_up(Vec3{to_length(v[0], scale), to_length(v[1], scale), to_length(v[2], scale)}, axes);
}

inline Vec3 finite_or(const Vec3& v, float otherwise) {
  return {finite_or(v[0], otherwise), finite_or(v[1], otherwise), finite_or(v[2], otherwise)};
}

inline bool is_finite(const Double4& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]) && std::isfinite(v[3]);
}

/// a · s + b · t
inline Double4 combine(const Double4& a, double s, const Double4& b, double t) {
  return {a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t, a[3] * s + b[3] * t};
}

inline Double4 negated(const Double4& a) { return combine(a, -1, a, 0); }

}  // namespace thaw::mdx
