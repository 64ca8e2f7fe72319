// lights.lit: what reads writes the same bytes, and gives light at any time.
#include <thaw/lit.hpp>
#include <thaw/world.hpp>

#include "checks.hpp"

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = lit::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, lit::read);
  for (const float time : {0.0F, 719.5F, 2880.0F, -1e30F}) {
    const auto light = world::light_at(*document, {{100, 200, 30}, time, 0.5F, size % 2 == 0, size % 3 == 0});
    fuzz::require(!light || light->tracks <= lit::kMostTracks);
    const auto fog = light ? light->fog : std::nullopt;
    const float seen = fog ? world::fog_visibility(50, fog->start, fog->end) : 1.0F;
    fuzz::require(std::isnan(seen) || (seen >= 0 && seen <= 1));
  }
  return 0;
}
