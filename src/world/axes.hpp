// From the axes of the world (x north, y west, z up, yards) to those of scenes.
#pragma once

#include <thaw/world.hpp>

#include "scene/math.hpp"

namespace thaw::world {

/// An even permutation, so that neither triangles nor rotations turn over (wow-alpha-world.md#axes).
inline Vec3 to_scene_axes(double x, double y, double z, double scale = 1) {
  return {static_cast<float>(y * scale), static_cast<float>(z * scale), static_cast<float>(x * scale)};
}

inline Vec4 to_scene_axes(const scene::Vec4d& rotation) {
  return scene::narrow(scene::Vec4d{rotation[1], rotation[2], rotation[0], rotation[3]});
}

inline Value list_of(const Vec3& vector) { return Value::List{vector[0], vector[1], vector[2]}; }

}  // namespace thaw::world
