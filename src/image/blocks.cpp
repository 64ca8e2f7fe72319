#include "image/blocks.hpp"

#include "describe/description.hpp"
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

/// For a byte with the alphas of two pixels, these pixels without their colours.
constexpr auto kAlphaPairs = [] {
  std::array<std::array<std::uint8_t, 2 * kPixelBytes>, 256> pairs{};
  for (std::size_t byte = 0; byte < pairs.size(); ++byte) {
    pairs.at(byte)[3] = static_cast<std::uint8_t>((byte & 15U) * 17U);
    pairs.at(byte)[7] = static_cast<std::uint8_t>((byte >> 4U) * 17U);
  }
  return pairs;
}();

struct ExplicitAlpha {
  const std::uint8_t* block;

  explicit ExplicitAlpha(const std::uint8_t* from) : block(from) {}

  [[nodiscard]] Words row(std::size_t y) const {
    std::array<std::uint64_t, 2> pixels;
    std::memcpy(pixels.data(), kAlphaPairs[block[2 * y]].data(), sizeof pixels[0]);
    std::memcpy(&pixels[1], kAlphaPairs[block[2 * y + 1]].data(), sizeof pixels[1]);
    return reinterpret_cast<Words>(LongWords{pixels[0], pixels[1]});
  }
};

constexpr Halves all(std::uint16_t value) {
  return Halves{value, value, value, value, value, value, value, value};
}

/// What the selectors of a block mean: 0 and 1 are the ends, the next ones lead from the first end to the
/// second.
struct AlphaKind {
  Halves steps;   ///< from end to end
  Halves fixed;   ///< the first selector whose alpha is the same in every block
  Halves opaque;  ///< the selector of alpha 255; the other fixed one has alpha 0
};

/// Four alphas between the ends and two fixed ones, or six alphas between the ends.
constexpr std::array<AlphaKind, 2> kAlphaKinds = {{{all(5), all(6), all(7)}, {all(7), all(8), all(8)}}};

/// A step from end to end, in 256ths, for each difference of the second from the first. The difference also
/// also states of which kind the block is.
constexpr std::size_t kLargest = 255;
constexpr auto kAlphaSteps = [] {
  std::array<std::uint16_t, 2 * kLargest + 1> table{};
  for (std::size_t place = 0; place < table.size(); ++place) {
    const int difference = static_cast<int>(place) - static_cast<int>(kLargest);
    const int steps = difference < 0 ? 7 : 5;
    const int doubled = difference * 512 / steps;
    table.at(place) = static_cast<std::uint16_t>((doubled + (doubled < 0 ? -1 : 1)) / 2);
  }
  return table;
}();

/// Sixteen alphas, eight at a time and by arithmetic alone: looked up one by one they would take twice as
/// long. A step is at most half a 256th away from the true one, so that seven of them, with 4 added, never
/// reach another whole alpha: the nearest true values below one lack a seventh, which is 36 of 256.
class InterpolatedAlpha {
 public:
  explicit InterpolatedAlpha(const std::uint8_t* block) {
    const std::size_t difference = kLargest + block[1] - block[0];  // its place in the table
    const AlphaKind& kind = kAlphaKinds[difference < kLargest ? 1U : 0U];
    const Halves first = Halves{} + static_cast<std::uint16_t>(block[0] * 256U + 4U);
    const Halves step = Halves{} + kAlphaSteps[difference];
    const std::uint64_t selectors = load_plain<std::uint64_t>(block) >> 16U;
    const auto [first_two, last_two] = spread(selectors);
    upper_ = alphas(first_two, kind, first, step);
    lower_ = alphas(last_two, kind, first, step);
  }

  /// Two rows are in each half; a word without colours has its alpha in the last byte.
  [[nodiscard]] Words row(std::size_t y) const {
    const Halves two_rows = y < 2 ? upper_ : lower_;
    const Halves high = kLittleEndian ? two_rows : two_rows >> 8;
    return (y & 1U) == 0
               ? reinterpret_cast<Words>(__builtin_shufflevector(Halves{}, high, 0, 8, 1, 9, 2, 10, 3, 11))
               : reinterpret_cast<Words>(__builtin_shufflevector(Halves{}, high, 4, 12, 5, 13, 6, 14, 7, 15));
  }

 private:
  /// For each pixel a half that contains its selector, where alphas() expects it: of each eight the first
  /// five are in one half, the others in the one that begins a byte further on.
  static std::pair<Halves, Halves> spread(std::uint64_t selectors) {
    const auto words = reinterpret_cast<Words>(LongWords{selectors, selectors >> 8U});
    // Halves by number, not by place in memory; in two steps, each of them one or two instructions.
    constexpr int kWord = kLittleEndian ? 0 : 1;
    constexpr int kHalf = kLittleEndian ? 0 : 1;
    const auto upper = reinterpret_cast<Halves>(
        __builtin_shufflevector(words, words, 0 ^ kWord, 0 ^ kWord, 0 ^ kWord, 2 ^ kWord));
    const auto lower = reinterpret_cast<Halves>(
        __builtin_shufflevector(words, words, 2 ^ kWord, 2 ^ kWord, 2 ^ kWord, 1 ^ kWord));
    return {__builtin_shufflevector(upper, upper, 0 ^ kHalf, 0 ^ kHalf, 0 ^ kHalf, 0 ^ kHalf, 4 ^ kHalf,
                                    6 ^ kHalf, 6 ^ kHalf, 6 ^ kHalf),
            __builtin_shufflevector(lower, lower, 1 ^ kHalf, 1 ^ kHalf, 1 ^ kHalf, 1 ^ kHalf, 5 ^ kHalf,
                                    6 ^ kHalf, 6 ^ kHalf, 6 ^ kHalf)};
  }

  /// In the high byte of each half; the low one is 0.
  static Halves alphas(Halves bits, const AlphaKind& kind, Halves first, Halves step) {
    // Multiplying moves each selector to the top.
    const Halves selectors =
        bits * Halves{1 << 13, 1 << 10, 1 << 7, 1 << 4, 1 << 1, 1 << 6, 1 << 3, 1 << 0} >> 13;
    const auto numbers = reinterpret_cast<SignedHalves>(selectors);
    const SignedHalves one = SignedHalves{} + 1;
    const auto at = reinterpret_cast<Halves>((numbers > one ? numbers : one) - one);
    const auto is_second = reinterpret_cast<Halves>(numbers == one);
    const auto is_between = reinterpret_cast<Halves>(numbers < reinterpret_cast<SignedHalves>(kind.fixed));
    const auto is_opaque = reinterpret_cast<Halves>(selectors == kind.opaque);
    const Halves between = first + (at + (is_second & kind.steps)) * step;
    return ((between & is_between) | is_opaque) & 0xFF00;
  }

  Halves upper_;
  Halves lower_;
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

/// Up to four blocks at the edge of a picture: decoded separately, then the part that is seen is copied.
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
