// Far terrain: what reads writes the same bytes.
#include <thaw/wdl.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = wdl::read(bytes, {}, diagnostics);
  if (document) {
    const Bytes written = wdl::write(*document);
    fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  }
  return 0;
}
