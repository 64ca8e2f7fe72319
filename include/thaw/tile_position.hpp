// Where a tile lies in the grid of a map of World of Warcraft.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace thaw::wdt {

/// A place for a tile in the map: column (`x`) and row (`y`), 0 to 63.
struct TilePosition {
  std::uint8_t x = 0;
  std::uint8_t y = 0;
  friend constexpr bool operator==(const TilePosition&, const TilePosition&) = default;
};

}  // namespace thaw::wdt

#pragma GCC visibility pop
