// Shared edges of chunks: their heights stand in both.
#pragma once

#include <thaw/wdt.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::wdt {

/// Yards by which heights of a shared edge may differ.
inline constexpr float kEdgeTolerance = 1e-3F;

/// The largest difference along a shared edge; `at_a` and `at_b` are heights of vertex k.
template <class A, class B>
float largest_step(A&& at_a, B&& at_b) {
  float most = 0;
  for (std::size_t k = 0; k < kOuterSide; ++k) {
    const float difference = std::abs(at_a(k) - at_b(k));
    most = std::isfinite(difference) ? std::max(most, difference) : most;
  }
  return most;
}

/// Between a chunk and the one to the east of it.
inline float step_eastward(const Chunk& chunk, const Chunk& east) {
  return largest_step([&](std::size_t k) { return chunk.outer(k, kOuterSide - 1); },
                      [&](std::size_t k) { return east.outer(k, 0); });
}

/// Between a chunk and the one to the south of it.
inline float step_southward(const Chunk& chunk, const Chunk& south) {
  return largest_step([&](std::size_t k) { return chunk.outer(kOuterSide - 1, k); },
                      [&](std::size_t k) { return south.outer(0, k); });
}

}  // namespace thaw::wdt
