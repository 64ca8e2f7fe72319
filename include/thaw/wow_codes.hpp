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

inline constexpr Code kWorldHeight{"world.height", Severity::warning,
                                   "heights that are no numbers; they become 0"};
inline constexpr Code kWorldLiquid{"world.liquid", Severity::warning,
                                   "a liquid whose heights are no numbers; the cells are left out"};
inline constexpr Code kWorldUnseen{"world.unseen", Severity::info,
                                   "placements that no chunk refers to: the client never draws them"};
inline constexpr Code kWorldModelMissing{"world.model-missing", Severity::warning,
                                         "models of placements that no source has; their places are kept"};
inline constexpr Code kWorldTooLarge{"world.too-large", Severity::error,
                                     "more than one file is made of; a folder takes any number of tiles"};

inline constexpr std::array kLight = {kWorldHeight, kWorldLiquid, kWorldUnseen, kWorldModelMissing,
                                      kWorldTooLarge};

}  // namespace thaw::codes
