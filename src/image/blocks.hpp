// Block compression: 4×4 pixels in 8 or 16 bytes (BC1 to BC5, BC7).
//
// Expansion rule, the same everywhere: a channel of n bits becomes 8 bits by repeating its high bits below
// it, and the values between two ends are weighted integer means, rounded down. Hardware may differ from it
// by 1; Pillow and libsquish follow it exactly.
#pragma once

#include <thaw/bytes.hpp>

#include <cstddef>
#include <cstdint>

namespace thaw {

enum class BlockFormat : std::uint8_t {
  bc1,           ///< DXT1: three colours and transparent black where colour0 ≤ colour1
  bc2,           ///< DXT3: 4-bit alpha
  bc3,           ///< DXT5: interpolated alpha
  bc4_unsigned,  ///< one channel, shown as grey
  bc4_signed,    ///< −1..1 shown as 0..255
  bc5_unsigned,  ///< red and green, blue is 0
  bc5_signed,
  bc7,
};

constexpr std::size_t block_bytes(BlockFormat format) {
  switch (format) {
    case BlockFormat::bc1:
    case BlockFormat::bc4_unsigned:
    case BlockFormat::bc4_signed:
      return 8;
    default:
      return 16;
  }
}

/// Bytes of a picture of that size; pictures end in blocks that are only partly seen.
constexpr std::uint64_t block_data_size(std::size_t bytes_per_block, std::uint32_t width,
                                        std::uint32_t height) {
  const std::uint64_t columns = (std::uint64_t{width} + 3) / 4;
  const std::uint64_t rows = (std::uint64_t{height} + 3) / 4;
  return columns * rows * bytes_per_block;
}

/// Decodes rows of blocks into width × height RGBA pixels. `blocks` holds block_data_size() bytes, `rgba`
/// takes width × height × 4.
void decode_blocks(BlockFormat format, const std::uint8_t* blocks, std::uint32_t width, std::uint32_t height,
                   std::uint8_t* rgba);

namespace bc7 {
/// One block into 16 pixels, rows `stride` bytes apart. A block without mode bit gives transparent black.
void decode_block(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride);
}  // namespace bc7

}  // namespace thaw
