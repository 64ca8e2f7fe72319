// A plain JPEG: a document that keeps every byte, and a picture of its stated size or an error.
#include <thaw/image.hpp>

#include "texture_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = jpeg::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, jpeg::read);
  const auto image = decode_texture(bytes, fuzz::small_limits(), diagnostics);
  fuzz::check(image ? test::problems_of(*image) : test::Problems());
  return 0;
}
