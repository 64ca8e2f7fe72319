// Pictures of surfaces as the game packs them (dma.md#textures).
#pragma once

#include <thaw/image.hpp>

namespace thaw::dme {

/// A normal map: X in alpha, Y in green, and no mask for tints in red and blue.
Image packed_normals(Image normals);

/// The properties of a surface in addition to its colour, as glTF has them; null where there is none.
struct Surface {
  const Image* orm = nullptr;  ///< G roughness, B metal
  const Image* emissive = nullptr;
  const Image* color = nullptr;
  double gain = 1;  ///< of what is emissive
};

/// A specular map, and how far from the emissive picture what shines is at worst, of 255: the game lights a
/// surface in its own colour, where that is not transparent.
struct PackedSurface {
  Image image;
  unsigned off = 0;
};
PackedSurface packed_surface(const Surface& surface);

}  // namespace thaw::dme
