#include <thaw/image.hpp>

#include "image/pixels.hpp"
#include "image/reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace thaw {
namespace {

using Span = Reduction::Span;
using Sums = Reduction::Sums;

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
bool is_half(std::uint32_t side, std::uint32_t requested) { return side == requested * 2; }

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

}  // namespace

Reduction::Reduction(std::uint32_t width, std::uint32_t height, std::uint32_t to_width,
                     std::uint32_t to_height)
    : width_(width),
      whole_(width == to_width && height == to_height),
      half_(is_half(width, to_width) && is_half(height, to_height)),
      result_{to_width, to_height, {}} {
  result_.rgba.resize(static_cast<std::size_t>(result_.pixels()) * kPixelBytes, 0);
  // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): rgba is allocated above
  to_ = result_.rgba.data();
  if (!whole_ && !half_) {
    columns_ = spans(width, to_width);
    rows_ = spans(height, to_height);
    sums_.resize(to_width);
  }
}

void Reduction::add(const std::uint8_t* row) {
  const std::size_t stride = std::size_t{width_} * kPixelBytes;
  if (whole_) {
    to_ = std::copy_n(row, stride, to_);
  } else if (!half_) {
    add_weighted(row);
  } else if (above_.empty()) {
    above_.assign(row, row + stride);
  } else {
    for (std::size_t x = 0; x < stride; x += 2 * kPixelBytes, to_ += kPixelBytes) {
      put_mean_of_four(above_.data() + x, row + x, to_);
    }
    above_.clear();
  }
  ++y_;
}

/// A row that two of the result share counts for both.
void Reduction::add_weighted(const std::uint8_t* row) {
  while (row_ < rows_.size() && rows_[row_].first <= y_) {
    const Span& down = rows_[row_];
    const double weight = down.weights[y_ - down.first];
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Span& along = columns_[i];
      const std::uint8_t* pixel = row + std::size_t{along.first} * kPixelBytes;
      for (const double share : along.weights) {
        thaw::add(sums_[i], pixel, weight * share);
        pixel += kPixelBytes;
      }
    }
    if (y_ + 1 < down.first + down.weights.size()) {
      return;  // there are more rows of this one
    }
    for (Sums& sums : sums_) {
      put(std::exchange(sums, {}), to_);
      to_ += kPixelBytes;
    }
    ++row_;
  }
}

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
  Reduction reduction(image.width, image.height, width, height);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    reduction.add(image.rgba.data() + std::size_t{y} * image.width * kPixelBytes);
  }
  return reduction.take();
}

std::pair<std::uint32_t, std::uint32_t> fitted_size(std::uint32_t width, std::uint32_t height,
                                                    std::uint32_t longest) {
  const std::uint32_t side = std::max(width, height);
  if (longest == 0 || side <= longest) {
    return {width, height};
  }
  std::uint32_t divisor = 1;
  while (side / divisor > longest) {
    divisor *= 2;
  }
  const bool halved = side % divisor == 0 && side / divisor == longest;
  const auto scaled = [&](std::uint32_t length) {
    const auto rounded = (std::uint64_t{length} * longest + side / 2) / side;
    return std::max(1U, halved ? length / divisor : static_cast<std::uint32_t>(rounded));
  };
  return {scaled(width), scaled(height)};
}

Image fitted(const Image& image, std::uint32_t longest) {
  const auto [width, height] = fitted_size(image.width, image.height, longest);
  return reduced(image, width, height);
}

Image fitted_in_place(Image image, std::uint32_t longest) {
  const bool fits = longest == 0 || std::max(image.width, image.height) <= longest;
  return fits ? std::move(image) : fitted(image, longest);
}

std::vector<Image> mip_chain(const Image& image, std::size_t limit) {
  const std::size_t count = std::min(limit, chain_length(image.width, image.height));
  std::vector<Image> levels;
  levels.reserve(count);
  each_level(image, count, [&](const Image& level) { levels.push_back(level); });
  return levels;
}

void each_level(const Image& image, std::size_t count, const std::function<void(const Image&)>& use) {
  Image smaller;
  for (std::size_t level = 0; level < count; ++level) {
    if (level > 0) {
      smaller = reduced(level > 1 ? smaller : image, level_side(image.width, level),
                        level_side(image.height, level));
    }
    use(level > 0 ? smaller : image);
  }
}

}  // namespace thaw
