// Codes of findings in World of Warcraft's alpha.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

// Terrain: WDT, WDL, ADT.

inline constexpr Code kTerrainArea{"terrain.area", Severity::warning,
                                   "areas that the other version counts in its own way"};
inline constexpr Code kTerrainSound{"terrain.sound", Severity::warning,
                                    "sound emitters, which the other version has in its own form"};
inline constexpr Code kTerrainAlpha{"terrain.alpha", Severity::warning,
                                    "an alpha map that is not carried over as it is"};
inline constexpr Code kTerrainLayer{"terrain.layer", Severity::warning,
                                    "a layer, or a property of one, that the other version has not"};
inline constexpr Code kTerrainHoles{"terrain.holes", Severity::warning,
                                    "holes finer than the other version has them"};
inline constexpr Code kTerrainWater{"terrain.water", Severity::warning,
                                    "water that the other version says only nearly"};
inline constexpr Code kTerrainColors{"terrain.colors", Severity::warning,
                                     "colours of vertices, which the other version has not"};
inline constexpr Code kTerrainChunk{"terrain.chunk", Severity::warning,
                                    "a chunk that the other version has not"};
inline constexpr Code kTerrainDamaged{"terrain.damaged", Severity::severe,
                                      "a part that is damaged or not there, and is left out"};
inline constexpr Code kTerrainPlacement{"terrain.placement", Severity::warning,
                                        "a placement of something that has no name; left out"};
inline constexpr Code kTerrainReferences{
    "terrain.references", Severity::warning,
    "references left out, because the client of the alpha takes no larger chunks"};
inline constexpr Code kTerrainFlags{"terrain.flags", Severity::info,
                                    "flags that the other version does not know"};
inline constexpr Code kTerrainEdge{"terrain.edge", Severity::warning,
                                   "chunks whose heights do not meet those around them"};

/// Every code of terrain.
inline constexpr std::array kTerrain = {kTerrainArea,    kTerrainSound,     kTerrainAlpha,      kTerrainLayer,
                                        kTerrainHoles,   kTerrainWater,     kTerrainColors,     kTerrainChunk,
                                        kTerrainDamaged, kTerrainPlacement, kTerrainReferences, kTerrainFlags,
                                        kTerrainEdge};

// Buildings: WMO.

inline constexpr Code kWmoVersion{"wmo.version", Severity::warning,
                                  "a version that no client is known to read"};
inline constexpr Code kWmoGroup{"wmo.group", Severity::warning,
                                "a group whose parts disagree; mended for conversion"};
inline constexpr Code kWmoGroupFile{"wmo.group-file", Severity::error,
                                    "a group of the building whose file no source has"};
inline constexpr Code kWmoDoodad{"wmo.doodad", Severity::warning, "a doodad whose model no source has"};
inline constexpr Code kWmoDoodadSet{"wmo.doodad-set", Severity::error, "the building has no such doodad set"};
inline constexpr Code kWmoLost{"wmo.lost", Severity::warning, "something that the other version cannot hold"};
inline constexpr Code kWmoMade{"wmo.made", Severity::info,
                               "something that the other version asks for, made up"};

/// Every code of buildings.
inline constexpr std::array kBuilding = {kWmoVersion,   kWmoGroup, kWmoGroupFile, kWmoDoodad,
                                         kWmoDoodadSet, kWmoLost,  kWmoMade};

// Models: MDX 1300 to 1500, and their textures.

/// Every code of models; none are needed so far.
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
inline constexpr Code kWorldNoTile{"world.no-tile", Severity::error,
                                   "no tile of those that are asked for is there"};

/// Every code of maps on their way to a scene or a picture.
inline constexpr std::array kLight = {kWorldHeight,       kWorldLiquid,   kWorldUnseen,
                                      kWorldModelMissing, kWorldTooLarge, kWorldNoTile};

}  // namespace thaw::codes

#pragma GCC visibility pop
