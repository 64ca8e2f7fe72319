#include <thaw/encode.hpp>

#include "image/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thaw {
namespace {

/// Sums of R·A, G·A, B·A, A; and of R, G, B, for areas that cannot be seen at all.
using Sums = std::array<double, 7>;

/// A row or column of the result covers those of the source from `first` on, with these weights.
struct Span {
  std::uint32_t first = 0;
  std::vector<double> weights;
};

/// What each of `count` equal parts of `length` pixels covers.
std::vector<Span> spans(std::uint32_t length, std::uint32_t count) {
  std::vector<Span> result(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    // In units of 1/count of a pixel everything is whole.
    const std::uint64_t begin = std::uint64_t{i} * length;
    const std::uint64_t end = begin + length;
    Span& span = result[i];
    span.first = static_cast<std::uint32_t>(begin / count);
    for (std::uint64_t pixel = span.first; pixel * count < end; ++pixel) {
      const std::uint64_t from = std::max(begin, pixel * count);
      const std::uint64_t to = std::min(end, (pixel + 1) * count);
      span.weights.push_back(static_cast<double>(to - from) / static_cast<double>(length));
    }
  }
  return result;
}

void add(Sums& sums, const std::uint8_t* pixel, double weight) {
  const double alpha = weight * pixel[3];
  for (std::size_t c = 0; c < 3; ++c) {
    sums[c] += alpha * pixel[c];
    sums[4 + c] += weight * pixel[c];
  }
  sums[3] += alpha;
}

std::uint8_t rounded(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

void put(const Sums& sums, std::uint8_t* pixel) {
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = rounded(sums[3] > 0 ? sums[c] / sums[3] : sums[4 + c]);
  }
  pixel[3] = rounded(sums[3]);
}

/// Half of an even side: the mean of two.
bool is_half(std::uint32_t side, std::uint32_t wanted) { return side == wanted * 2; }

/// The usual case, in whole numbers.
void put_mean_of_four(const std::uint8_t* top, const std::uint8_t* bottom, std::uint8_t* to) {
  const std::array<const std::uint8_t*, 4> pixels = {top, top + kPixelBytes, bottom, bottom + kPixelBytes};
  std::uint32_t alpha = 0;
  for (const auto* pixel : pixels) {
    alpha += pixel[3];
  }
  for (std::size_t c = 0; c < 3; ++c) {
    std::uint32_t sum = 0;
    for (const auto* pixel : pixels) {
      sum += alpha > 0 ? pixel[c] * std::uint32_t{pixel[3]} : pixel[c];
    }
    const std::uint32_t whole = alpha > 0 ? alpha : 4;
    to[c] = static_cast<std::uint8_t>((2 * sum + whole) / (2 * whole));
  }
  to[3] = static_cast<std::uint8_t>((alpha + 2) / 4);
}

Image halved(const Image& image) {
  Image result{image.width / 2, image.height / 2, {}};
  result.rgba.resize(static_cast<std::size_t>(result.pixels()) * kPixelBytes);
  const std::size_t stride = std::size_t{image.width} * kPixelBytes;
  std::uint8_t* to = result.rgba.data();
  for (std::uint32_t y = 0; y < result.height; ++y) {
    const std::uint8_t* row = image.rgba.data() + std::size_t{2} * y * stride;
    for (std::uint32_t x = 0; x < result.width; ++x, to += kPixelBytes, row += 2 * kPixelBytes) {
      put_mean_of_four(row, row + stride, to);
    }
  }
  return result;
}

}  // namespace

bool is_opaque(const Image& image) {
  std::uint8_t all = 255;
  for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += kPixelBytes) {
    all &= image.rgba[alpha];
  }
  return all == 255;
}

Image reduced(const Image& image, std::uint32_t width, std::uint32_t height) {
  width = std::clamp(width, 1U, image.width);
  height = std::clamp(height, 1U, image.height);
  if (width == image.width && height == image.height) {
    return image;
  }
  if (is_half(image.width, width) && is_half(image.height, height)) {
    return halved(image);
  }
  const auto columns = spans(image.width, width);
  const auto rows = spans(image.height, height);
  Image result{width, height, {}};
  result.rgba.resize(static_cast<std::size_t>(result.pixels()) * kPixelBytes);
  std::uint8_t* to = result.rgba.data();
  for (const Span& row : rows) {
    for (const Span& column : columns) {
      Sums sums{};
      for (std::size_t y = 0; y < row.weights.size(); ++y) {
        const std::size_t start = std::size_t{row.first + y} * image.width + column.first;
        for (std::size_t x = 0; x < column.weights.size(); ++x) {
          add(sums, image.rgba.data() + (start + x) * kPixelBytes, row.weights[y] * column.weights[x]);
        }
      }
      put(sums, to);
      to += kPixelBytes;
    }
  }
  return result;
}

Image fitted(const Image& image, std::uint32_t longest) {
  const std::uint32_t side = std::max(image.width, image.height);
  if (longest == 0 || side <= longest) {
    return image;
  }
  std::uint32_t divisor = 1;
  while (side / divisor > longest) {
    divisor *= 2;
  }
  if (side % divisor == 0 && side / divisor == longest) {
    return reduced(image, image.width / divisor, image.height / divisor);
  }
  const auto scaled = [&](std::uint32_t length) {
    return static_cast<std::uint32_t>((std::uint64_t{length} * longest + side / 2) / side);
  };
  return reduced(image, scaled(image.width), scaled(image.height));
}

std::vector<Image> mip_chain(const Image& image, std::size_t limit) {
  const std::size_t count = std::min(limit, chain_length(image.width, image.height));
  std::vector<Image> levels;
  levels.reserve(count);
  levels.push_back(image);
  while (levels.size() < count) {
    const std::size_t level = levels.size();
    levels.push_back(reduced(levels.back(), level_side(image.width, level), level_side(image.height, level)));
  }
  return levels;
}

}  // namespace thaw
