// Floats that are neither infinite nor NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace thaw {

/// No infinity and no NaN.
inline bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

/// The number, or 0 for an infinity or a NaN.
inline float finite_or_zero(float value) { return std::isfinite(value) ? value : 0; }
inline double finite_or_zero(double value) { return std::isfinite(value) ? value : 0; }

}  // namespace thaw
