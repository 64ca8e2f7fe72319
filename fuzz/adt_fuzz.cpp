// Later tiles and the maps beside them: what reads writes the same bytes, and tiles become a map of the
// alpha.
#include <thaw/adt_convert.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  if (const auto map = adt::read_map(bytes, {}, diagnostics)) {
    const Bytes written = adt::write(*map);
    fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
    (void)wdt::write(adt::to_alpha(&*map, {}, diagnostics));
  }
  if (const auto tile = adt::read(bytes, {}, diagnostics)) {
    const Bytes written = adt::write(*tile);
    fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
    const std::array placed = {adt::PlacedTile{{1, 2}, &*tile}};
    const Bytes alpha = wdt::write(adt::to_alpha(nullptr, placed, diagnostics));
    fuzz::require(wdt::read(alpha, {}, diagnostics).has_value());
  }
  return 0;
}
