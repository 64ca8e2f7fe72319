// Far terrain: what reads writes the same bytes.
#include <thaw/wdl.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = wdl::read(bytes, {}, diagnostics);
  if (document) {
    fuzz::check_document(*document, bytes, wdl::read);
  }
  return 0;
}
