// WebP, which EXT_texture_webp allows in glTF.
#pragma once

#include <thaw/image.hpp>

namespace thaw {

bool is_webp(ByteView bytes);
/// Lossy and lossless files. Errors: image.malformed, image.unsupported for animations, input.too-large.
Result<Image> decode_webp(ByteView bytes, const ReadOptions& options);

}  // namespace thaw
