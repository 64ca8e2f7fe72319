#include "image/palette.hpp"

#include "image/pixels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace thaw {
namespace {

constexpr std::size_t kMaxColors = 256;
constexpr std::size_t kChannels = 3;
constexpr unsigned kBucketBits = 5;
constexpr int kRefinements = 8;

/// Pixels of nearly the same colour, and their mean.
struct Bucket {
  std::array<double, kChannels> sum{};
  double count = 0;

  [[nodiscard]] double mean(std::size_t channel) const { return sum[channel] / count; }
};

/// A part of the buckets that will share a palette entry.
struct Box {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t axis = 0;  ///< the channel that differs most
  double variance = 0;   ///< along it, summed over the pixels
  std::array<double, kChannels> mean{};
};

bool visible(const std::uint8_t* pixel) { return pixel[3] != 0; }

/// Up to 256 colours in the order of their values, or nothing if there are more.
std::vector<Palette::Color> few_colors(const Image& image) {
  std::vector<Palette::Color> found;
  for (std::size_t at = 0; at < image.rgba.size(); at += kPixelBytes) {
    const std::uint8_t* pixel = image.rgba.data() + at;
    const Palette::Color color = {pixel[0], pixel[1], pixel[2]};
    const auto place = std::lower_bound(found.begin(), found.end(), color);
    if (visible(pixel) && (place == found.end() || *place != color)) {
      if (found.size() == kMaxColors) {
        return {};
      }
      found.insert(place, color);
    }
  }
  if (found.empty()) {
    found.push_back({});
  }
  return found;
}

std::vector<Bucket> make_buckets(const Image& image) {
  std::vector<Bucket> all(std::size_t{1} << (kChannels * kBucketBits));
  constexpr unsigned kDrop = 8 - kBucketBits;
  for (std::size_t at = 0; at < image.rgba.size(); at += kPixelBytes) {
    const std::uint8_t* pixel = image.rgba.data() + at;
    if (!visible(pixel)) {
      continue;
    }
    const auto index = static_cast<std::size_t>(pixel[0] >> kDrop << (2 * kBucketBits) |
                                                pixel[1] >> kDrop << kBucketBits | pixel[2] >> kDrop);
    Bucket& bucket = all[index];
    for (std::size_t c = 0; c < kChannels; ++c) {
      bucket.sum[c] += pixel[c];
    }
    ++bucket.count;
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](const Bucket& bucket) { return bucket.count == 0; }),
            all.end());
  return all;
}

void measure(Box& box, const std::vector<Bucket>& buckets) {
  double count = 0;
  std::array<double, kChannels> sum{};
  std::array<double, kChannels> square{};
  for (std::size_t i = box.first; i < box.end; ++i) {
    count += buckets[i].count;
    for (std::size_t c = 0; c < kChannels; ++c) {
      sum[c] += buckets[i].sum[c];
      square[c] += buckets[i].sum[c] * buckets[i].mean(c);
    }
  }
  box.variance = -1;
  for (std::size_t c = 0; c < kChannels; ++c) {
    box.mean[c] = sum[c] / count;
    const double variance = square[c] - sum[c] * box.mean[c];
    if (variance > box.variance) {
      box.variance = variance;
      box.axis = c;
    }
  }
}

/// The part above the mean becomes a box of its own.
Box split(Box& box, std::vector<Bucket>& buckets) {
  const auto at = [&](std::size_t i) { return buckets.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto below = [&](const Bucket& bucket) { return bucket.mean(box.axis) <= box.mean[box.axis]; };
  // Buckets keep no order of their own, so the cut must be made the same way everywhere.
  std::sort(at(box.first), at(box.end), [&](const Bucket& a, const Bucket& b) {
    for (std::size_t step = 0; step < kChannels; ++step) {
      const std::size_t c = (box.axis + step) % kChannels;
      if (a.mean(c) != b.mean(c)) {
        return a.mean(c) < b.mean(c);
      }
    }
    return a.count < b.count;
  });
  const auto cut = std::find_if_not(at(box.first), at(box.end), below);
  Box upper = box;
  upper.first = static_cast<std::size_t>(cut - buckets.begin());
  box.end = upper.first;
  measure(box, buckets);
  measure(upper, buckets);
  return upper;
}

std::vector<Box> make_boxes(std::vector<Bucket>& buckets) {
  std::vector<Box> boxes(1);
  boxes[0].end = buckets.size();
  measure(boxes[0], buckets);
  const auto less = [](const Box& a, const Box& b) { return a.variance < b.variance; };
  while (boxes.size() < kMaxColors) {
    Box& widest = *std::max_element(boxes.begin(), boxes.end(), less);
    if (widest.end - widest.first < 2 || widest.variance <= 0) {
      break;
    }
    const Box upper = split(widest, buckets);
    boxes.push_back(upper);
  }
  return boxes;
}

using Means = std::vector<std::array<double, kChannels>>;

template <class Value, class Centres>
std::size_t nearest(const Value& color, const Centres& centres) {
  std::size_t best = 0;
  auto best_distance = 3 * (decltype(color[0] - color[0])(256) * 256);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const auto r = color[0] - centres[i][0];
    const auto g = color[1] - centres[i][1];
    const auto b = color[2] - centres[i][2];
    const auto distance = r * r + g * g + b * b;
    if (distance < best_distance) {
      best_distance = distance;
      best = i;
    }
  }
  return best;
}

/// Each colour moves to the mean of the pixels that are nearest to it.
void refine(Means& means, const std::vector<Bucket>& buckets) {
  std::vector<Bucket> sums(means.size());
  for (const Bucket& bucket : buckets) {
    const std::array<double, kChannels> color = {bucket.mean(0), bucket.mean(1), bucket.mean(2)};
    Bucket& to = sums[nearest(color, means)];
    for (std::size_t c = 0; c < kChannels; ++c) {
      to.sum[c] += bucket.sum[c];
    }
    to.count += bucket.count;
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (sums[i].count > 0) {
      means[i] = {sums[i].mean(0), sums[i].mean(1), sums[i].mean(2)};
    }
  }
}

}  // namespace

Palette make_palette(const Image& image) {
  Palette palette;
  palette.colors = few_colors(image);
  palette.exact = !palette.colors.empty();
  if (palette.exact) {
    return palette;
  }
  auto buckets = make_buckets(image);
  Means means;
  for (const Box& box : make_boxes(buckets)) {
    means.push_back(box.mean);
  }
  for (int i = 0; i < kRefinements; ++i) {
    refine(means, buckets);
  }
  for (const auto& mean : means) {
    const auto channel = [&](std::size_t c) { return static_cast<std::uint8_t>(std::lround(mean[c])); };
    palette.colors.push_back({channel(0), channel(1), channel(2)});
  }
  return palette;
}

Bytes palette_indices(const Image& image, const Palette& palette) {
  std::vector<std::array<int, kChannels>> colors;
  colors.reserve(palette.colors.size());
  for (const auto& color : palette.colors) {
    colors.push_back({color[0], color[1], color[2]});
  }
  // Colours that pixels had before: as many places as pixels, at most one for each colour that there can be.
  struct Known {
    std::uint32_t color = ~0U;  ///< no colour, which has 24 bits
    std::uint8_t index = 0;
  };
  constexpr std::uint64_t kEveryColor = std::uint64_t{1} << 24U;
  std::vector<Known> cache(static_cast<std::size_t>(std::min(kEveryColor, std::bit_ceil(image.pixels()))));
  Bytes indices(image.rgba.size() / kPixelBytes);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint8_t* pixel = image.rgba.data() + i * kPixelBytes;
    const std::array<int, kChannels> color = {pixel[0], pixel[1], pixel[2]};
    const std::uint32_t bits = pixel[0] | std::uint32_t{pixel[1]} << 8U | std::uint32_t{pixel[2]} << 16U;
    Known& known = cache[(bits ^ bits >> 8U ^ bits >> 16U) & (cache.size() - 1)];
    if (known.color != bits) {
      known = {bits, static_cast<std::uint8_t>(nearest(color, colors))};
    }
    indices[i] = known.index;
  }
  return indices;
}

}  // namespace thaw
