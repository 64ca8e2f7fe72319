// The sample to look at: an animated model of version 800 with team colour.
#pragma once

#include "paint.hpp"

#include <thaw/mdx.hpp>

namespace thaw::samples {

mdx::Document knight();

Canvas knight_armor();  ///< Textures\knight.blp
Canvas knight_cloth();  ///< Textures\knight_cloth.blp: opaque where it is no team colour
Canvas knight_glow();   ///< Textures\knight_glow.blp
Canvas knight_rune();   ///< Textures\knight_rune.blp

/// Where things are in knight.blp (256 × 128) and knight_cloth.blp (128 × 128), in pixels.
struct Region {
  unsigned left, top, width, height;
};
inline constexpr Region kHelm{0, 0, 128, 128};
inline constexpr Region kSteel{128, 0, 64, 64};
inline constexpr Region kGold{192, 0, 64, 64};
inline constexpr Region kLeather{128, 64, 64, 64};
inline constexpr Region kMail{192, 64, 64, 64};
inline constexpr Region kCape{0, 0, 64, 128};
inline constexpr Region kShield{64, 0, 64, 128};

}  // namespace thaw::samples
