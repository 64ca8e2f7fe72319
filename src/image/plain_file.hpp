// Image files that glTF can hold as they are.
#pragma once

#include <thaw/bytes.hpp>

namespace thaw {

/// Whether the bytes begin as a JPEG file, or as a PNG file without what glTF has no equivalent for: a colour
/// profile, oblong pixels, animation.
bool is_plain_file(ByteView bytes);

}  // namespace thaw
