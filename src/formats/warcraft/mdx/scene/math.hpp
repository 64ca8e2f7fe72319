// Axes, units and quaternions on the way from the game's space (Z up) to the scene's (Y up).
#pragma once

#include "scene/axes.hpp"
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

using scene::to_float;

inline float finite_or(float value, float otherwise) { return std::isfinite(value) ? value : otherwise; }

/// A finite length in metres.
inline float to_length(float value, double scale) { return to_float(double{finite_or(value, 0)} * scale); }

using scene::Axes;
using scene::to_y_up;
using scene::to_y_up_scale;
using scene::turned;

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
