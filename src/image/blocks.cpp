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
    put_colors<ColorMode::by_order, kBytes, Opaque>(block, rgba, stride);
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
template <class Alpha>
struct WithAlpha {
  static constexpr std::size_t kBytes = 16;
  static void decode(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
    put_colors<ColorMode::four_colors, kBytes, Alpha>(block, rgba, stride);
  }
};

/// For a byte with the alphas of two pixels, these pixels' difference from opaque ones.
constexpr auto kAlphaPairs = [] {
  std::array<std::array<std::uint8_t, 2 * kPixelBytes>, 256> pairs{};
  for (std::size_t byte = 0; byte < pairs.size(); ++byte) {
    pairs.at(byte)[3] = static_cast<std::uint8_t>((byte & 15U) * 17U ^ 255U);
    pairs.at(byte)[7] = static_cast<std::uint8_t>((byte >> 4U) * 17U ^ 255U);
  }
  return pairs;
}();

struct ExplicitAlpha {
  const std::uint8_t* block;

  explicit ExplicitAlpha(const std::uint8_t* from) : block(from) {}

  [[nodiscard]] Words row(std::size_t y) const {
    std::array<std::uint64_t, 2> pixels;
    std::memcpy(&pixels[0], kAlphaPairs[block[2 * y]].data(), sizeof pixels[0]);
    std::memcpy(&pixels[1], kAlphaPairs[block[2 * y + 1]].data(), sizeof pixels[1]);
    using Pairs = std::uint64_t __attribute__((vector_size(16)));
    return reinterpret_cast<Words>(Pairs{pixels[0], pixels[1]});
  }
};

/// The eight alphas that a block chooses from, each as a pixel's difference from an opaque one. Both kinds of
/// blocks are computed, because nothing foretells which one comes.
struct InterpolatedAlpha {
  std::array<std::uint32_t, 8> differences;
  std::uint64_t selectors;

  explicit InterpolatedAlpha(const std::uint8_t* block) : selectors(load_plain<std::uint64_t>(block) >> 16U) {
    const Halves first = Halves{} + block[0];
    const Halves second = Halves{} + block[1];
    const Halves sevenths =
        (first * Halves{7, 0, 6, 5, 4, 3, 2, 1} + second * Halves{0, 7, 1, 2, 3, 4, 5, 6}) / 7;
    const Halves fifths =
        (first * Halves{5, 0, 4, 3, 2, 1, 0, 0} + second * Halves{0, 5, 1, 2, 3, 4, 0, 0}) / 5;
    const auto mask = static_cast<std::uint16_t>(0U - (block[0] > block[1] ? 1U : 0U));
    const Halves by_order = Halves{} + mask;
    const Halves values =
        ((sevenths & by_order) | ((fifths | Halves{0, 0, 0, 0, 0, 0, 0, 255}) & ~by_order)) ^ 255;
    // The fourth byte of each pixel.
    const Halves high = kLittleEndian ? values << 8 : values;
    const Words low_four =
        reinterpret_cast<Words>(__builtin_shufflevector(Halves{}, high, 0, 8, 1, 9, 2, 10, 3, 11));
    const Words high_four =
        reinterpret_cast<Words>(__builtin_shufflevector(Halves{}, high, 4, 12, 5, 13, 6, 14, 7, 15));
    std::memcpy(&differences[0], &low_four, sizeof low_four);
    std::memcpy(&differences[4], &high_four, sizeof high_four);
  }

  [[nodiscard]] Words row(std::size_t y) const {
    const auto of_row = static_cast<std::uint32_t>(selectors >> (12 * y));
    return Words{differences[of_row & 7U], differences[of_row >> 3U & 7U], differences[of_row >> 6U & 7U],
                 differences[of_row >> 9U & 7U]};
  }
};

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
      return decode_picture<WithAlpha<ExplicitAlpha>>(blocks, width, height, rgba);
    case BlockFormat::bc3:
      return decode_picture<WithAlpha<InterpolatedAlpha>>(blocks, width, height, rgba);
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
