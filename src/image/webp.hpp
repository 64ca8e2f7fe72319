// WebP, which EXT_texture_webp allows in glTF.
#pragma once

#include <thaw/image.hpp>

#include "bytes/text.hpp"

namespace thaw {

inline bool is_webp(ByteView bytes) {
  constexpr std::size_t kHead = 12;
  return bytes.size() >= kHead && as_text(bytes.first(4)) == "RIFF" && as_text(bytes.subspan(8, 4)) == "WEBP";
}
/// Lossy and lossless files. Errors: image.malformed, image.unsupported for animations and in the page,
/// input.too-large.
Result<Image> decode_webp(ByteView bytes, const ReadOptions& options);

}  // namespace thaw
