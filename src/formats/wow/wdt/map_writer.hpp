// A map that is written tile by tile: what stands in front first, and once more when all places are known.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/wdt.hpp>

namespace thaw::wdt {

/// Gives the map's own part its places, without any tile.
void lay_out(Map& map);
Bytes write(const Map& map);
/// Gives a tile the place `at` in its file, and sets its entry in the map.
Bytes write_at(Tile& tile, std::uint64_t at, TileEntry& entry);

/// Bytes that a chunk will take, head included.
std::uint64_t size_of(const Chunk& chunk);

/// Writes one tile at a time, in the client's order; no more than one is in memory.
class MapWriter {
 public:
  /// Of `map` the names and buildings count; where tiles lie is found out.
  MapWriter(Sink& out, Map map);

  /// Errors of all: write.failed if the sink takes no more, write.unsupported beyond 4 GiB.
  Result<void> begin();
  /// In ascending order of their index.
  Result<void> add(Tile tile);
  Result<void> finish();

 private:
  Sink& out_;
  Map map_;
  std::uint64_t start_ = 0;
};

}  // namespace thaw::wdt
