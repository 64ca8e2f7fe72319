// Pixel formats of DDS, whichever of the many ways a header names them.
#pragma once

#include <thaw/dds.hpp>

#include "image/blocks.hpp"

namespace thaw::dds {

enum class Layout : std::uint8_t {
  unknown,
  blocks,      ///< 4×4 blocks
  blocks_hdr,  ///< BC6H: the size is known, the colours do not fit into 8 bits
  masks,       ///< pixels of 8 to 32 bits with a mask per channel
  luminance,   ///< the same, the red mask is grey
};

/// How the pixels of a file are stored.
struct Storage {
  Layout layout = Layout::unknown;
  std::string_view name = "unknown";
  BlockFormat blocks = BlockFormat::bc1;
  unsigned bits = 0;  ///< per pixel, of masks
  std::uint32_t red = 0;
  std::uint32_t green = 0;
  std::uint32_t blue = 0;
  std::uint32_t alpha = 0;
  unsigned alpha_bits = 0;
  bool premultiplied = false;
  bool red_in_alpha = false;  ///< RXGB: the block's alpha is the red, and nothing is transparent

  /// Bytes of one slice. The size must not exceed 2^58 pixels.
  [[nodiscard]] std::uint64_t slice_size(std::uint32_t width, std::uint32_t height) const;
};

Storage storage_of(const Document& document);

}  // namespace thaw::dds
