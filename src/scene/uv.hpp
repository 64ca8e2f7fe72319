// What a texture transform does to coordinates.
#pragma once

#include "scene/math.hpp"

namespace thaw::scene {

/// Coordinates as `by` puts them.
inline Vec2 transformed(const Vec2& uv, const UvTransform& by) {
  constexpr double kMiddle = 0.5;
  const double u = double{uv[0]} + double{by.offset[0]} - kMiddle;
  const double v = double{uv[1]} + double{by.offset[1]} - kMiddle;
  const double cos = cosine(double{by.rotation});
  const double sin = sine(double{by.rotation});
  return {to_float((u * cos - v * sin) * double{by.scale[0]} + kMiddle),
          to_float((u * sin + v * cos) * double{by.scale[1]} + kMiddle)};
}

}  // namespace thaw::scene
