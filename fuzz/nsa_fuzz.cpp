// Animations: what reads writes the same bytes, decodes, and what decodes can be quantised again.
#include <thaw/nsa.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = nsa::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, nsa::read);
  const nsa::Clip clip = nsa::decode(*document, diagnostics);
  const auto quantised = nsa::from_curves(clip, {});
  if (quantised) {
    const auto again = nsa::read(nsa::write(quantised->document), {}, diagnostics);
    fuzz::require(again && *again == quantised->document, "what was quantised does not read\n");
    fuzz::check(test::problems_of(*again, nsa::write(*again)));
  }
  return 0;
}
