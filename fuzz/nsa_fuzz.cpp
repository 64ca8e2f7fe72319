// Animations: what reads writes the same bytes, decodes, and what decodes can be quantised again.
#include <thaw/nsa.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = nsa::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes written = nsa::write(*document);
  fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  const nsa::Clip clip = nsa::decode(*document, diagnostics);
  const auto made = nsa::from_curves(clip, {});
  if (made) {
    const auto again = nsa::read(nsa::write(made->document), {}, diagnostics);
    fuzz::require(again && *again == made->document, "what was quantised does not read\n");
  }
  return 0;
}
