// Codes of findings in World of Warcraft's alpha.
#pragma once

#include <thaw/codes.hpp>

namespace thaw::codes {

// Terrain: WDT, WDL, ADT.

inline constexpr std::array<Code, 0> kTerrain = {};

// Buildings: WMO.

inline constexpr std::array<Code, 0> kBuilding = {};

// Models: MDX 1300 to 1500, and their textures.

inline constexpr std::array<Code, 0> kAlphaModel = {};

// Light and distance: lights.lit, fog, far clip.

inline constexpr std::array<Code, 0> kLight = {};

}  // namespace thaw::codes
