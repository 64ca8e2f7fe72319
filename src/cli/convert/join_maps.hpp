// Tiles of WoW Alpha maps as one map: cut out, put together, tile by tile.
#pragma once

#include "cli/inputs/world_input.hpp"
#include "cli/report/console.hpp"

#include <vector>

namespace thaw::cli {

/// Of each input the tiles that the range holds; of tiles in one place that of the last input counts. Names
/// are joined and unique ids kept apart; far terrain next to the inputs goes next to the output.
Exit join_maps(const Settings& settings, const std::vector<Input>& inputs, const wdt::TileRange& range);

}  // namespace thaw::cli
