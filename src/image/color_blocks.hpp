// The colour half of BC1, BC2 and BC3, four blocks at a time in vector registers: no branch depends on the
// data, and the compiler's own vector types keep it portable.
#pragma once

#include "describe/description.hpp"
#include "image/pixels.hpp"

namespace thaw::blocks {

inline constexpr std::size_t kBlockRow = 4 * kPixelBytes;
/// Blocks that are decoded together.
inline constexpr std::size_t kGroup = 4;
inline constexpr std::size_t kGroupRow = kGroup * kBlockRow;

enum class ColorMode {
  four_colors,  ///< always (BC2, BC3)
  by_order,     ///< three colours and transparent black where colour0 ≤ colour1 (BC1)
};

using Words = std::uint32_t __attribute__((vector_size(16)));
using SignedWords = std::int32_t __attribute__((vector_size(16)));
using Halves = std::uint16_t __attribute__((vector_size(16)));
using LongWords = std::uint64_t __attribute__((vector_size(16)));
using SignedHalves = std::int16_t __attribute__((vector_size(16)));

/// One word of each of four blocks.
template <std::size_t stride>
Words gather(const std::uint8_t* from) {
  return Words{load_plain<std::uint32_t>(from), load_plain<std::uint32_t>(from + stride),
               load_plain<std::uint32_t>(from + 2 * stride), load_plain<std::uint32_t>(from + 3 * stride)};
}

/// Pairs of colours of four blocks: the first of block k in half 2k, the second in half 2k + 1.
struct ColorPairs {
  Halves red;
  Halves green;
  Halves blue;
};

inline ColorPairs expand_565(Words ends) {
  const auto halves = reinterpret_cast<Halves>(kLittleEndian ? ends : ends << 16U | ends >> 16U);
  const Halves red = halves >> 11;
  const Halves green = halves >> 5 & 63;
  const Halves blue = halves & 31;
  return {red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2};
}

inline Halves swap_pairs(Halves pairs) {
  const auto words = reinterpret_cast<Words>(pairs);
  return reinterpret_cast<Halves>(words << 16U | words >> 16U);
}

/// Two thirds of the own and one of the other colour.
inline Halves thirds(Halves ends) { return (ends + ends + swap_pairs(ends)) / 3; }
inline Halves means(Halves ends) { return (ends + swap_pairs(ends)) >> 1; }

/// Colour pairs as pixels, in two halves so that a pixel is a matter of interleaving.
struct PixelPairs {
  Halves first;   ///< red and green
  Halves second;  ///< blue and alpha

  [[nodiscard]] PixelPairs blend(Words mask, PixelPairs other) const {
    const auto keep = reinterpret_cast<Halves>(mask);
    return {(first & keep) | (other.first & ~keep), (second & keep) | (other.second & ~keep)};
  }
  /// The pixels of blocks 0 and 1.
  [[nodiscard]] Words lower() const {
    return reinterpret_cast<Words>(__builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11));
  }
  /// The pixels of blocks 2 and 3.
  [[nodiscard]] Words upper() const {
    return reinterpret_cast<Words>(__builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15));
  }
};

/// Opaque; without alpha where the block has alphas of its own.
template <ColorMode mode>
PixelPairs to_pixels(const ColorPairs& colors) {
  constexpr std::uint16_t kAlpha = mode == ColorMode::four_colors ? 0 : 255;
  if constexpr (kLittleEndian) {
    return {colors.red | colors.green << 8, colors.blue | (Halves{} + kAlpha) << 8};
  } else {
    return {colors.red << 8 | colors.green, colors.blue << 8 | (Halves{} + kAlpha)};
  }
}

/// The colours between the ends: c2 and c3 of each block.
template <ColorMode mode>
PixelPairs inner_colors(Words ends, const ColorPairs& colors) {
  const PixelPairs four = to_pixels<mode>({thirds(colors.red), thirds(colors.green), thirds(colors.blue)});
  if constexpr (mode == ColorMode::four_colors) {
    return four;
  } else {
    PixelPairs three = to_pixels<mode>({means(colors.red), means(colors.green), means(colors.blue)});
    const auto first_of_pair = reinterpret_cast<Halves>(Words{} + (kLittleEndian ? 0xFFFFU : 0xFFFF0000U));
    three.first &= first_of_pair;
    three.second &= first_of_pair;
    const auto by_order =
        reinterpret_cast<SignedWords>(ends & 0xFFFFU) > reinterpret_cast<SignedWords>(ends >> 16U);
    return four.blend(reinterpret_cast<Words>(by_order), three);
  }
}

/// Pixels as their colours are, opaque.
struct Opaque {
  [[nodiscard]] static Words row(std::size_t /*y*/) { return Words{}; }
};

/// Writes the 4×4 pixels of the block whose ends and inner colours stand at `at` and after it. Selectors
/// have two bits, the first pixel lowest. `alpha.row(y)` is what the pixels of row y lack.
/// Inlined because the masks of a block fill the registers.
template <int at, class Alpha>
[[gnu::always_inline]] inline void put_block(Words ends, Words inner, std::uint32_t selectors,
                                             const Alpha& alpha, std::uint8_t* rgba, std::size_t stride) {
  // Exclusive-or differences turn the choice of one of four into two masks.
  const Words base = __builtin_shufflevector(ends, ends, at, at, at, at);
  const Words low = base ^ __builtin_shufflevector(ends, ends, at + 1, at + 1, at + 1, at + 1);
  const Words high = base ^ __builtin_shufflevector(inner, inner, at, at, at, at);
  const Words both =
      low ^ high ^ base ^ __builtin_shufflevector(inner, inner, at + 1, at + 1, at + 1, at + 1);
  const Words bits = Words{} + selectors;
  Words low_bit = {1, 4, 16, 64};
#pragma GCC unroll 4
  for (std::size_t y = 0; y < 4; ++y, rgba += stride) {
    const Words high_bit = low_bit << 1U;
    const auto is_low = reinterpret_cast<Words>((bits & low_bit) == low_bit);
    const auto is_high = reinterpret_cast<Words>((bits & high_bit) == high_bit);
    const Words row = base ^ (is_low & low) ^ (is_high & (high ^ (is_low & both))) ^ alpha.row(y);
    std::memcpy(rgba, &row, sizeof row);
    low_bit <<= 8U;
  }
}

/// Four blocks, `bytes` apart, become 16×4 pixels. An `Alpha` is made of each block's first byte.
template <ColorMode mode, std::size_t bytes, class Alpha>
void put_colors(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
  const std::uint8_t* color = block + bytes - 8;
  const Words words = gather<bytes>(color);
  const ColorPairs colors = expand_565(words);
  const PixelPairs ends = to_pixels<mode>(colors);
  const PixelPairs inner = inner_colors<mode>(words, colors);
  const auto selectors = [&](std::size_t k) { return load_plain<std::uint32_t>(color + k * bytes + 4); };
  const auto alpha = [&](std::size_t k) {
    if constexpr (std::is_same_v<Alpha, Opaque>) {
      return Opaque();
    } else {
      return Alpha(block + k * bytes);
    }
  };
  put_block<0>(ends.lower(), inner.lower(), selectors(0), alpha(0), rgba, stride);
  put_block<2>(ends.lower(), inner.lower(), selectors(1), alpha(1), rgba + kBlockRow, stride);
  put_block<0>(ends.upper(), inner.upper(), selectors(2), alpha(2), rgba + 2 * kBlockRow, stride);
  put_block<2>(ends.upper(), inner.upper(), selectors(3), alpha(3), rgba + 3 * kBlockRow, stride);
}

}  // namespace thaw::blocks
