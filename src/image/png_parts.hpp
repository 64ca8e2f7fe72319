// Pieces of which PNG and APNG are made.
#pragma once

#include <thaw/image.hpp>

#include "formats/png/document.hpp"

namespace thaw::png {

/// Width × height pixels are there, and PNG can hold them.
bool is_sound(const Image& image);
Chunk make_chunk(FourCC type, Bytes data);
/// What IHDR holds.
Bytes header(const Image& image, bool opaque);
/// Filtered and deflated rows; empty if they do not fit a chunk.
Bytes pixel_data(const Image& image, bool opaque, int level);

}  // namespace thaw::png
