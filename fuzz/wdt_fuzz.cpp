// Alpha maps: what reads writes the same bytes, one tile alone is the tile of the whole, and both become
// later tiles.
#include <thaw/adt.hpp>
#include <thaw/wdt.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = wdt::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, wdt::read);
  const auto world = wdt::open(memory_storage(Bytes(bytes.begin(), bytes.end())), {}, diagnostics);
  fuzz::require(world.has_value() && world->tiles().size() == document->tiles.size());
  for (const auto& tile : document->tiles) {
    const auto alone = world->tile(tile.x(), tile.y(), diagnostics);
    fuzz::require(alone.has_value() && alone->chunks.size() == tile.chunks.size());
    const auto later = adt::tile_from_alpha(document->map, tile, "", diagnostics);
    fuzz::check_document(later, adt::write(later), adt::read);
  }
  return 0;
}
