// Effect of a texture transform on coordinates.
#pragma once

#include "scene/math.hpp"

#include <thaw/scene.hpp>

#include <algorithm>

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

/// Whether a clip moves it; what rests can stand in the coordinates themselves.
inline bool is_moved(const Scene& scene, Index uv_animation) {
  return std::any_of(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) {
    return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
      return channel.target.kind == Target::Kind::uv_animation && channel.target.index == uv_animation;
    });
  });
}

/// The transform at rest of a layer; null if it has none.
inline const UvTransform* rest_transform(const Scene& scene, const Layer& layer) {
  return layer.uv_animation < scene.uv_animations.size() ? &scene.uv_animations[layer.uv_animation].rest
                                                         : nullptr;
}

}  // namespace thaw::scene
