#include "image/blocks.hpp"

#include "document/description.hpp"
#include "image/color_blocks.hpp"

namespace thaw {
namespace {

using namespace blocks;

// --- interpolated channels
// ------------------------------------------------------------------------------------------

using ByteValues = std::array<std::uint8_t, 8>;

/// The eight values of a channel that reaches from 0 to `highest`.
std::array<std::uint32_t, 8> channel_values(std::uint32_t first, std::uint32_t second,
                                            std::uint32_t highest) {
  std::array<std::uint32_t, 8> values = {first, second};
  if (first > second) {
    for (std::uint32_t i = 1; i < 7; ++i) {
      values[i + 1] = ((7 - i) * first + i * second) / 7;
    }
  } else {
    for (std::uint32_t i = 1; i < 5; ++i) {
      values[i + 1] = ((5 - i) * first + i * second) / 5;
    }
    values[6] = 0;
    values[7] = highest;
  }
  return values;
}

ByteValues unsigned_values(const std::uint8_t* block) {
  const auto values = channel_values(block[0], block[1], 255);
  ByteValues bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(values[i]);
  }
  return bytes;
}

/// −127..127 becomes 0..255, rounded to nearest; −128 is another way to write −127.
ByteValues signed_values(const std::uint8_t* block) {
  const auto from_lowest = [](std::uint8_t byte) {
    return static_cast<std::uint32_t>(std::max(-127, int{static_cast<std::int8_t>(byte)}) + 127);
  };
  const auto values = channel_values(from_lowest(block[0]), from_lowest(block[1]), 254);
  ByteValues bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>((values[i] * 255 + 127) / 254);
  }
  return bytes;
}

/// Calls `put(pixel, value)` for the 16 pixels of an interpolated channel.
template <class F>
void each_value(const std::uint8_t* block, const ByteValues& values, std::uint8_t* rgba, std::size_t stride,
                F&& put) {
  auto selectors = load_plain<std::uint64_t>(block) >> 16U;
  for (std::size_t y = 0; y < 4; ++y, rgba += stride) {
    for (std::size_t x = 0; x < 4; ++x, selectors >>= 3U) {
      put(rgba + x * kPixelBytes, values[selectors & 7U]);
    }
  }
}

// --- formats: four blocks become 16×4 pixels
// ------------------------------------------------------------------------

struct Bc1 {
  static constexpr std::size_t kBytes = 8;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    put_colors<ColorMode::by_order, kBytes>(block, rgba, stride);
  }
};

/// A format whose blocks are decoded one by one.
template <class Block>
struct Single {
  static constexpr std::size_t kBytes = Block::kBytes;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    for (std::size_t k = 0; k < kGroup; ++k) {
      Block::decode(block + k * kBytes, rgba + k * kBlockRow, stride);
    }
  }
};

/// Colours in the second half of each block, alpha in the first.
template <void (*put_alpha)(const std::uint8_t*, std::uint8_t*, std::size_t)>
struct WithAlpha {
  static constexpr std::size_t kBytes = 16;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    put_colors<ColorMode::four_colors, kBytes>(block + 8, rgba, stride);
    for (std::size_t k = 0; k < kGroup; ++k) {
      put_alpha(block + k * kBytes, rgba + k * kBlockRow, stride);
    }
  }
};

void put_explicit_alpha(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
  auto alpha = load_plain<std::uint64_t>(block);
  for (std::size_t y = 0; y < 4; ++y, rgba += stride) {
    for (std::size_t x = 0; x < 4; ++x, alpha >>= 4U) {
      rgba[x * kPixelBytes + 3] = static_cast<std::uint8_t>((alpha & 15U) * 17U);
    }
  }
}

void put_interpolated_alpha(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
  each_value(block, unsigned_values(block), rgba, stride,
             [](std::uint8_t* pixel, std::uint8_t value) { pixel[3] = value; });
}

template <ByteValues (*values)(const std::uint8_t*)>
struct Bc4 {
  static constexpr std::size_t kBytes = 8;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    each_value(block, values(block), rgba, stride, [](std::uint8_t* pixel, std::uint8_t value) {
      const std::uint32_t word = pack_rgba(value, value, value, 255);
      std::memcpy(pixel, &word, sizeof word);
    });
  }
};

template <ByteValues (*values)(const std::uint8_t*)>
struct Bc5 {
  static constexpr std::size_t kBytes = 16;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    each_value(block, values(block), rgba, stride, [](std::uint8_t* pixel, std::uint8_t value) {
      const std::uint32_t word = pack_rgba(value, 0, 0, 255);
      std::memcpy(pixel, &word, sizeof word);
    });
    each_value(block + 8, values(block + 8), rgba, stride,
               [](std::uint8_t* pixel, std::uint8_t value) { pixel[1] = value; });
  }
};

struct Bc7 {
  static constexpr std::size_t kBytes = 16;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    bc7::decode_block(block, rgba, stride);
  }
};

// --- pictures
// -------------------------------------------------------------------------------------------------------

/// Up to four blocks at the edge of a picture: decoded beside it, then the part that is seen is copied.
template <class Format>
void decode_edge(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride, std::size_t columns,
                 std::size_t rows) {
  std::array<std::uint8_t, kGroup * Format::kBytes> blocks{};
  std::memcpy(blocks.data(), block, (columns + 3) / 4 * Format::kBytes);
  std::array<std::uint8_t, 4 * kGroupRow> pixels;
  Format::decode(blocks.data(), pixels.data(), kGroupRow);
  for (std::size_t y = 0; y < rows; ++y) {
    std::memcpy(rgba + y * stride, pixels.data() + y * kGroupRow, columns * kPixelBytes);
  }
}

template <class Format>
void decode_picture(const std::uint8_t* block, std::size_t width, std::size_t height, std::uint8_t* rgba) {
  constexpr std::size_t kColumns = 4 * kGroup;
  const std::size_t stride = width * kPixelBytes;
  for (std::size_t y = 0; y < height; y += 4) {
    const std::size_t rows = std::min<std::size_t>(4, height - y);
    std::uint8_t* out = rgba + y * stride;
    std::size_t x = 0;
    for (; rows == 4 && x + kColumns <= width; x += kColumns) {
      Format::decode(block, out, stride);
      block += kGroup * Format::kBytes;
      out += kGroupRow;
    }
    for (; x < width; x += kColumns) {
      const std::size_t columns = std::min(kColumns, width - x);
      decode_edge<Format>(block, out, stride, columns, rows);
      block += (columns + 3) / 4 * Format::kBytes;
      out += kGroupRow;
    }
  }
}

}  // namespace

void decode_blocks(BlockFormat format, const std::uint8_t* blocks, std::uint32_t width, std::uint32_t height,
                   std::uint8_t* rgba) {
  switch (format) {
    case BlockFormat::bc1:
      return decode_picture<Bc1>(blocks, width, height, rgba);
    case BlockFormat::bc2:
      return decode_picture<WithAlpha<put_explicit_alpha>>(blocks, width, height, rgba);
    case BlockFormat::bc3:
      return decode_picture<WithAlpha<put_interpolated_alpha>>(blocks, width, height, rgba);
    case BlockFormat::bc4_unsigned:
      return decode_picture<Single<Bc4<unsigned_values>>>(blocks, width, height, rgba);
    case BlockFormat::bc4_signed:
      return decode_picture<Single<Bc4<signed_values>>>(blocks, width, height, rgba);
    case BlockFormat::bc5_unsigned:
      return decode_picture<Single<Bc5<unsigned_values>>>(blocks, width, height, rgba);
    case BlockFormat::bc5_signed:
      return decode_picture<Single<Bc5<signed_values>>>(blocks, width, height, rgba);
    case BlockFormat::bc7:
      return decode_picture<Single<Bc7>>(blocks, width, height, rgba);
  }
}

}  // namespace thaw
