// Later tiles and the maps beside them: what reads writes the same bytes, and tiles become a map of the
// alpha.
#include <thaw/adt.hpp>
#include <thaw/wdt.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  if (const auto map = adt::read_map(bytes, {}, diagnostics)) {
    fuzz::check_document(*map, bytes, adt::read_map);
    const auto alpha = adt::to_alpha(&*map, {}, diagnostics);
    fuzz::check_document(alpha, wdt::write(alpha), wdt::read);
  }
  if (const auto tile = adt::read(bytes, {}, diagnostics)) {
    fuzz::check_document(*tile, bytes, adt::read);
    const std::array placed = {adt::PlacedTile{{1, 2}, &*tile}};
    const auto alpha = adt::to_alpha(nullptr, placed, diagnostics);
    fuzz::check_document(alpha, wdt::write(alpha), wdt::read);
  }
  return 0;
}
