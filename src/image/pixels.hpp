// Small things that all texture formats need on their way to RGBA pixels.
#pragma once

#include <thaw/image.hpp>

#include <bit>
#include <cstdint>
#include <optional>

namespace thaw {

inline constexpr std::size_t kPixelBytes = 4;

/// Where the channels stand in a word whose bytes in memory are R G B A.
inline constexpr bool kLittleEndian = std::endian::native == std::endian::little;
inline constexpr unsigned kRedShift = kLittleEndian ? 0 : 24;
inline constexpr unsigned kGreenShift = kLittleEndian ? 8 : 16;
inline constexpr unsigned kBlueShift = kLittleEndian ? 16 : 8;
inline constexpr unsigned kAlphaShift = kLittleEndian ? 24 : 0;

constexpr std::uint32_t pack_rgba(std::uint32_t red, std::uint32_t green, std::uint32_t blue,
                                  std::uint32_t alpha) {
  return red << kRedShift | green << kGreenShift | blue << kBlueShift | alpha << kAlphaShift;
}

inline void put_pixel(std::uint8_t* to, std::uint32_t rgba) { std::memcpy(to, &rgba, sizeof rgba); }

/// A number of 1 to 8 bits becomes one of 8 by repeating its bits.
constexpr std::uint32_t replicate_bits(std::uint32_t value, unsigned bits) {
  std::uint32_t wide = value << (8 - bits);
  for (unsigned filled = bits; filled < 8; filled *= 2) {
    wide |= wide >> filled;
  }
  return wide;
}

/// Why a picture of that size is refused: image.malformed for no pixels at all, input.too-large. To be called
/// before anything is computed from the size.
std::optional<Error> check_size(std::uint32_t width, std::uint32_t height, const Limits& limits);

/// A picture whose pixels are still to be written, if `available` bytes suffice for the `needed` ones. The
/// errors are those of check_size, and image.malformed for missing bytes. Waits where jobs share a budget.
Result<Image> make_image(std::uint32_t width, std::uint32_t height, std::uint64_t needed,
                         std::uint64_t available, const ReadOptions& options);

/// The side of a level, which never becomes 0.
constexpr std::uint32_t level_side(std::uint32_t side, std::size_t level) {
  return std::max<std::uint32_t>(1, level < 32 ? side >> level : 0);
}

/// Levels from the full size down to 1 × 1.
constexpr std::size_t chain_length(std::uint32_t width, std::uint32_t height) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(std::max(width, height))));
}

void set_opaque(Image& image);

/// B G R A becomes R G B A.
void swap_red_and_blue(Image& image);

/// Divides the colours by alpha, rounded to nearest; pixels without alpha stay as they are.
void unpremultiply(Image& image);

}  // namespace thaw
