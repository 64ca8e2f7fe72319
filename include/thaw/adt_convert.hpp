// Maps of the alpha as tiles of Wrath of the Lich King, and back. See adt.md#from-the-alpha.
//
// What one side cannot say is told in the diagnostics, codes terrain.*.
#pragma once

#include <thaw/adt.hpp>
#include <thaw/wdt.hpp>

#include <span>
#include <string>

#pragma GCC visibility push(default)

namespace thaw::adt {

/// The WDT that stands beside the tiles of an alpha map. `has_tile(x, y)` chooses among those that are there.
Map map_from_alpha(const wdt::Map& map, const std::vector<wdt::TilePosition>& tiles,
                   Diagnostics& diagnostics = Diagnostics::unwanted());

/// One tile, laid out. Names are those that its placements use; of map objects and models, `.mdx` becomes
/// `.m2`. Paths of findings begin with `where`.
Document tile_from_alpha(const wdt::Map& map, const wdt::Tile& tile, const std::string& where,
                         Diagnostics& diagnostics = Diagnostics::unwanted());

/// "Map_32_48.adt": how the client finds a tile of a map.
std::string tile_file_name(std::string_view map, std::size_t x, std::size_t y);

/// Column and row from such a name, whatever the map is called; none for other names.
std::optional<wdt::TilePosition> tile_position(std::string_view file_name);

/// Where a tile says that it is, by the position of its first terrain chunk; none if it says nothing usable.
std::optional<wdt::TilePosition> tile_position(const Document& document);

/// A tile on its way into a map of the alpha.
struct PlacedTile {
  wdt::TilePosition position;
  const Document* document = nullptr;
};

/// A map of the alpha, laid out. `map` may be null: then alpha maps are of four bits unless their sizes say
/// otherwise. Tiles that stand twice are told and left out.
wdt::Document to_alpha(const Map* map, std::span<const PlacedTile> tiles,
                       Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::adt

#pragma GCC visibility pop
