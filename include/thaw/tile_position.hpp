// Where tiles lie in the grid of a map of World of Warcraft.
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

/// Columns and rows of tiles, both ends included; by default all of a map.
struct TileRange {
  std::uint32_t first_x = 0;
  std::uint32_t last_x = 63;
  std::uint32_t first_y = 0;
  std::uint32_t last_y = 63;

  /// Whether a column and row are within it.
  [[nodiscard]] constexpr bool holds(std::uint32_t x, std::uint32_t y) const {
    return x >= first_x && x <= last_x && y >= first_y && y <= last_y;
  }
};

}  // namespace thaw::wdt

#pragma GCC visibility pop
