#include <thaw/image.hpp>

#include "image/png_parts.hpp"

namespace thaw {
namespace {

bool is_consistent(const GreyImage& image) {
  constexpr std::uint32_t kMaxSide = 0x7FFFFFFF;
  return image.width > 0 && image.height > 0 && image.width <= kMaxSide && image.height <= kMaxSide &&
         image.values.size() == std::uint64_t{image.width} * image.height &&
         (image.bits == 8 || image.bits == 16);
}

/// Rows with the filter Up: neighbours in height are alike in both bytes.
Bytes filtered_rows(const GreyImage& image) {
  constexpr std::uint8_t kUp = 2;
  const std::size_t depth = image.bits / 8;
  const std::size_t row_size = image.width * depth;
  Bytes rows;
  rows.reserve((row_size + 1) * image.height);
  Bytes above(row_size, 0);
  Bytes row(row_size);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x) {
      const std::uint16_t value = image.values[std::size_t{y} * image.width + x];
      if (depth == 2) {
        row[std::size_t{2} * x] = static_cast<std::uint8_t>(value >> 8U);
      }
      row[depth * x + depth - 1] = static_cast<std::uint8_t>(value);
    }
    rows.push_back(kUp);
    for (std::size_t i = 0; i < row_size; ++i) {
      rows.push_back(static_cast<std::uint8_t>(row[i] - above[i]));
    }
    row.swap(above);
  }
  return rows;
}

}  // namespace

Bytes encode_png(const GreyImage& image, int level) {
  if (!is_consistent(image)) {
    return {};
  }
  constexpr std::uint8_t kGrey = 0;
  return png::assemble({image.width, image.height, static_cast<std::uint8_t>(image.bits), kGrey},
                       filtered_rows(image), level);
}

Bytes encode_raw(const GreyImage& image) {
  Bytes bytes;
  bytes.reserve(image.values.size() * image.bits / 8);
  for (const std::uint16_t value : image.values) {
    bytes.push_back(static_cast<std::uint8_t>(value));
    if (image.bits == 16) {
      bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
    }
  }
  return bytes;
}

Image disabled_icon(const Image& icon) {
  constexpr unsigned kColor = 1;  // of the colour, to three of the brightness
  Image result = icon;
  for (std::size_t at = 0; at + 3 < result.rgba.size(); at += 4) {
    const unsigned brightness =
        (result.rgba[at] * 299U + result.rgba[at + 1] * 587U + result.rgba[at + 2] * 114U + 500U) / 1000U;
    for (std::size_t i = at; i < at + 3; ++i) {
      result.rgba[i] = static_cast<std::uint8_t>((result.rgba[i] * kColor + brightness * 3U) / 8U);
    }
  }
  return result;
}

}  // namespace thaw
