// Pictures into 4×4 blocks. What is decoded again differs from the picture; how much is for the caller to
// say.
#pragma once

#include "image/blocks.hpp"

#include <thaw/image.hpp>

namespace thaw {

/// bc1 (alpha is dropped), bc3 or bc5_unsigned, block_data_size() bytes. What blocks have
/// beyond the edges is repeated from inside. Blocks that come after `control` was stopped are zeros.
Bytes encode_blocks(BlockFormat format, const Image& image, const Control* control = nullptr);

}  // namespace thaw
