// What a physically based surface sends to the eye. web/page/backend.js has the same formulae;
// docs/library/rendering.md tells them.
#pragma once

#include "raster/textures.hpp"

namespace thaw::raster {

/// Without occlusion and metal, rather rough, and without team colour: where there is no such picture.
inline constexpr Wide kPlainOrm = Wide{255} | Wide{204} << 16U;

/// Shares of 1.
struct Surface {
  Vec3 base{};
  float occlusion = 1;
  float roughness = 1;
  float metal = 0;
  Vec3 rim{};  ///< added where the surface turns away from the eye
};

/// A point of it. Directions need not have unit length.
struct SurfacePoint {
  Vec3 place{};
  Vec3 normal{};
  Vec3 tangent{};
  float side = 1;
};

/// All around, by longitude and latitude.
struct Environment {
  const Pyramid* pyramid = nullptr;
  float gain = 1;
};

/// Turns the normal as a picture of normals says, by its two channels of 0 to 255.
void bend(SurfacePoint& point, float x, float y);

/// Where light is in the colours already.
Vec3 flat_light(const Surface& surface);

Vec3 shade_surface(const Surface& surface, const SurfacePoint& point, const frame::Illumination& light,
                   const Environment& environment, bool two_sided);

}  // namespace thaw::raster
