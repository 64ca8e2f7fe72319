#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace thaw {

/// No infinity and no NaN.
inline bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace thaw
