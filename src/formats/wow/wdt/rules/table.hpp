// Rules of alpha maps and of far terrain. See wdt.md#checks; what the reader reports itself (order, offsets,
// damage) is not repeated.
#pragma once

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include "describe/rules.hpp"

namespace thaw::wdt::rules {

using Subject = DocumentSubject<Document>;
using MapRule = Rule<Subject>;
using FarRule = Rule<DocumentSubject<wdl::Document>>;

/// A chunk that reads, and where it is.
struct PlacedChunk {
  const Tile& tile;
  const Chunk& chunk;
  std::size_t tile_number = 0;  ///< in the document's list
  std::size_t number = 0;       ///< in the tile's list

  [[nodiscard]] std::string path() const { return say("tiles[", tile_number, "].MCNK[", number, "]"); }
  [[nodiscard]] std::string path(std::string_view field) const { return say(path(), ".", field); }
};

inline std::string tile_path(std::size_t number, std::string_view field) {
  return say("tiles[", number, "].", field);
}
inline std::string name_of(const Tile& tile) { return say("tile ", tile.x(), "_", tile.y()); }

/// Calls `use(placed)` for every chunk that is not damaged.
template <class F>
void for_each_chunk(const Subject& subject, F&& use) {
  const auto& tiles = subject.document.tiles;
  for (std::size_t t = 0; t < tiles.size() && !is_stopped(subject.options.read.control); ++t) {
    for (std::size_t c = 0; c < tiles[t].chunks.size(); ++c) {
      if (!tiles[t].chunks[c].frame.remainder.replaces_fields()) {
        use(PlacedChunk{tiles[t], tiles[t].chunks[c], t, c});
      }
    }
  }
}
template <class F>
void for_each_tile(const Subject& subject, F&& use) {
  const std::size_t count = subject.document.tiles.size();
  for (std::size_t t = 0; t < count && !is_stopped(subject.options.read.control); ++t) {
    use(subject.document.tiles[t], t);
  }
}

/// For rules about each of them.
inline constexpr auto kPlacedChunks = [](const Subject& subject, const auto& use) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) { use(placed, [&] { return placed.path(); }); });
};

std::span<const MapRule> map_rules();
std::span<const MapRule> tile_rules();
std::span<const MapRule> chunk_rules();
std::span<const FarRule> far_rules();

}  // namespace thaw::wdt::rules
