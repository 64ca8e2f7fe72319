// Compression of blocks; with stb_dxt's own file, all that knows stb_dxt.
#include "image/block_encode.hpp"

#include <thaw/control.hpp>

#include "image/pixels.hpp"

#include <stb/stb_dxt.h>

#include <array>

namespace thaw {
namespace {

constexpr std::uint32_t kSide = 4;
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;
using Pixels = std::array<std::uint8_t, kPixels * kPixelBytes>;

Pixels pixels_at(const Image& image, std::uint32_t left, std::uint32_t top) {
  Pixels result{};
  std::uint8_t* to = result.data();
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x, to += kPixelBytes) {
      // Outside, those inside take turns, so that each of them counts about the same.
      const std::size_t row = top + y % std::min(kSide, image.height - top);
      const std::size_t column = left + x % std::min(kSide, image.width - left);
      std::memcpy(to, image.rgba.data() + (row * image.width + column) * kPixelBytes, kPixelBytes);
    }
  }
  return result;
}

void encode_block(BlockFormat format, const Pixels& pixels, std::uint8_t* to) {
  if (format == BlockFormat::bc5_unsigned) {
    std::array<std::uint8_t, kPixels * 2> two{};
    for (std::size_t i = 0; i < kPixels; ++i) {
      two[2 * i] = pixels[i * kPixelBytes];
      two[2 * i + 1] = pixels[i * kPixelBytes + 1];
    }
    stb_compress_bc5_block(to, two.data());
    return;
  }
  stb_compress_dxt_block(to, pixels.data(), format == BlockFormat::bc3 ? 1 : 0, STB_DXT_HIGHQUAL);
}

}  // namespace

Bytes encode_blocks(BlockFormat format, const Image& image, const Control* control) {
  const std::size_t step = block_bytes(format);
  Bytes result(static_cast<std::size_t>(block_data_size(step, image.width, image.height)));
  std::uint8_t* to = result.data();
  for (std::uint32_t y = 0; y < image.height && proceed(control, "scan lines", y, image.height); y += kSide) {
    for (std::uint32_t x = 0; x < image.width; x += kSide, to += step) {
      encode_block(format, pixels_at(image, x, y), to);
    }
  }
  return result;
}

}  // namespace thaw
