// Codes of findings in World of Warcraft's alpha.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

// Terrain: WDT, WDL, ADT.

inline constexpr Code kTerrainArea{"terrain.area", Severity::warning,
                                   "area ids that the other version numbers differently"};
inline constexpr Code kTerrainSound{"terrain.sound", Severity::warning,
                                    "sound emitters, which the other version stores differently"};
inline constexpr Code kTerrainAlpha{"terrain.alpha", Severity::warning, "alpha map changed in conversion"};
inline constexpr Code kTerrainLayer{"terrain.layer", Severity::warning,
                                    "layer, or layer property, not available in the other version"};
inline constexpr Code kTerrainHoles{"terrain.holes", Severity::warning,
                                    "holes finer than the other version allows"};
inline constexpr Code kTerrainWater{"terrain.water", Severity::warning,
                                    "water approximated in the other version"};
inline constexpr Code kTerrainColors{"terrain.colors", Severity::warning,
                                     "vertex colours not available in the other version"};
inline constexpr Code kTerrainChunk{"terrain.chunk", Severity::warning,
                                    "chunk not available in the other version"};
inline constexpr Code kTerrainDamaged{"terrain.damaged", Severity::severe,
                                      "damaged or missing part left out"};
inline constexpr Code kTerrainPlacement{"terrain.placement", Severity::warning,
                                        "placement without a name left out"};
inline constexpr Code kTerrainReferences{
    "terrain.references", Severity::warning,
    "references left out, because the WoW Alpha client does not accept larger chunks"};
inline constexpr Code kTerrainFlags{"terrain.flags", Severity::info,
                                    "flags not available in the other version"};
inline constexpr Code kTerrainEdge{"terrain.edge", Severity::warning,
                                   "chunk heights do not match their neighbours'"};

/// Every code of terrain.
inline constexpr std::array kTerrain = {kTerrainArea,    kTerrainSound,     kTerrainAlpha,      kTerrainLayer,
                                        kTerrainHoles,   kTerrainWater,     kTerrainColors,     kTerrainChunk,
                                        kTerrainDamaged, kTerrainPlacement, kTerrainReferences, kTerrainFlags,
                                        kTerrainEdge};

// Buildings: WMO.

inline constexpr Code kWmoVersion{"wmo.version", Severity::warning, "unknown version"};
inline constexpr Code kWmoGroup{"wmo.group", Severity::warning,
                                "group with contradictory parts; fixed for conversion"};
inline constexpr Code kWmoGroupFile{"wmo.group-file", Severity::error,
                                    "WMO group file not found in any source"};
inline constexpr Code kWmoDoodad{"wmo.doodad", Severity::warning, "doodad model not found in any source"};
inline constexpr Code kWmoDoodadSet{"wmo.doodad-set", Severity::error, "the WMO has no such doodad set"};
inline constexpr Code kWmoLost{"wmo.lost", Severity::warning, "not available in the other version"};
inline constexpr Code kWmoMade{"wmo.made", Severity::info, "generated because the other version needs it"};

/// Every code of buildings.
inline constexpr std::array kBuilding = {kWmoVersion,   kWmoGroup, kWmoGroupFile, kWmoDoodad,
                                         kWmoDoodadSet, kWmoLost,  kWmoMade};

// Models: MDX 1300 to 1500, and their textures.

/// Every code of models; none are needed so far.
inline constexpr std::array<Code, 0> kAlphaModel = {};

// Light and distance: lights.lit, fog, far clip.

inline constexpr Code kWorldHeight{"world.height", Severity::warning, "heights not finite; set to 0"};
inline constexpr Code kWorldLiquid{"world.liquid", Severity::warning,
                                   "liquid heights not finite; the cells are left out"};
inline constexpr Code kWorldUnseen{"world.unseen", Severity::info,
                                   "placements without a chunk reference; the client never draws them"};
inline constexpr Code kWorldModelMissing{"world.model-missing", Severity::warning,
                                         "placement models not found in any source; the placements remain"};
inline constexpr Code kWorldTooLarge{"world.too-large", Severity::error,
                                     "too large for one file; write one file per tile into a folder"};
inline constexpr Code kWorldNoTile{"world.no-tile", Severity::error, "none of the requested tiles exists"};

/// Every code of maps on their way to a scene or a picture.
inline constexpr std::array kLight = {kWorldHeight,       kWorldLiquid,   kWorldUnseen,
                                      kWorldModelMissing, kWorldTooLarge, kWorldNoTile};

}  // namespace thaw::codes

#pragma GCC visibility pop
