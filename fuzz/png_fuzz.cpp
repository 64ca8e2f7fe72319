#include <thaw/image.hpp>

#include "texture_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const thaw::ByteView bytes(data, size);
  const thaw::ReadOptions options = thaw::fuzz::small_limits();
  thaw::Diagnostics diagnostics;
  thaw::fuzz::exercise(thaw::png::read(bytes, options, diagnostics), bytes, options);
  return 0;
}
