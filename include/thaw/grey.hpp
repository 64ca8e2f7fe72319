// Pictures of one channel: maps of heights, areas, masks.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#pragma GCC visibility push(default)

namespace thaw {

/// Top row first, no padding.
struct GreyImage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  unsigned bits = 8;  ///< 8 or 16 per pixel in files; values must fit
  Array<std::uint16_t> values;

  friend bool operator==(const GreyImage&, const GreyImage&) = default;
};

/// A PNG file of one channel. Same picture, same bytes. `level` 1 (fast) to 12. Empty for a picture without
/// pixels, or whose `values` are not width × height, or of other bits.
Bytes encode_png(const GreyImage& image, int level);

/// The grey of a PNG, in 16 bits if it has as many; of one with colours the red. Errors as decode_png.
Result<GreyImage> decode_grey(ByteView bytes, const ReadOptions& options = {});

/// The values row by row, little-endian, without a header: what engines import as RAW.
Bytes encode_raw(const GreyImage& image);

}  // namespace thaw

#pragma GCC visibility pop
