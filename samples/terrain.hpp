// Two tiles of rolling ground with everything that terrain can have, the far terrain that goes with them, and
// continents of any size.
#pragma once

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include "paint.hpp"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace thaw::samples {

/// Where the two tiles are: side by side, this one to the west.
inline constexpr wdt::TilePosition kWestTile = {31, 48};
inline constexpr wdt::TilePosition kEastTile = {32, 48};

/// Both tiles: four layers, holes, each liquid, sounds, and placements of models and a building.
wdt::Document island();
/// Its far terrain.
wdl::Document island_far();
/// Names in Tileset\Thaw, and what its ground looks like.
std::vector<std::pair<std::string_view, Canvas>> tileset();

/// The bytes of a map of so many tiles (1 to 4096) in a square, in order; every call of `put` has some of
/// them. All tiles are alike and meet their neighbours, and only one of them is in memory.
void write_continent(std::size_t tiles, const std::function<void(ByteView)>& put);

}  // namespace thaw::samples
