#include "raster/textures.hpp"

#include <algorithm>

namespace thaw::raster {
namespace {

/// Half the size, each pixel the mean of four.
Bytes halved(const Level& from, std::int32_t width, std::int32_t height) {
  Bytes to(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  std::uint8_t* out = to.data();
  for (std::int32_t y = 0; y < height; ++y) {
    const std::int32_t upper = std::min(2 * y, from.height - 1);
    const std::int32_t lower = std::min(2 * y + 1, from.height - 1);
    for (std::int32_t x = 0; x < width; ++x) {
      const std::int32_t left = std::min(2 * x, from.width - 1);
      const std::int32_t right = std::min(2 * x + 1, from.width - 1);
      const auto at = [&](std::int32_t column, std::int32_t row) {
        return widen(from.rgba + (static_cast<std::size_t>(row) * static_cast<std::size_t>(from.width) +
                                  static_cast<std::size_t>(column)) *
                                     4);
      };
      constexpr Wide kTwos = 0x0002000200020002U;
      const Wide sum =
          ((at(left, upper) + at(right, upper) + at(left, lower) + at(right, lower) + kTwos) >> 2U) &
          0x00FF00FF00FF00FFU;
      for (unsigned channel = 0; channel < 4; ++channel) {
        *out++ = static_cast<std::uint8_t>(sum >> (16 * channel));
      }
    }
  }
  return to;
}

std::unique_ptr<Pyramid> make_pyramid(const Image& image) {
  auto pyramid = std::make_unique<Pyramid>();
  Level level{image.rgba.data(), static_cast<std::int32_t>(image.width),
              static_cast<std::int32_t>(image.height)};
  pyramid->levels.push_back(level);
  while (level.width > 1 || level.height > 1) {
    const std::int32_t width = std::max(1, level.width / 2);
    const std::int32_t height = std::max(1, level.height / 2);
    pyramid->storage.push_back(halved(level, width, height));
    level = {pyramid->storage.back().data(), width, height};
    pyramid->levels.push_back(level);
  }
  return pyramid;
}

}  // namespace

const Pyramid* Textures::Impl::prepare(frame::Index image) {
  if (image >= images.size()) {
    return nullptr;
  }
  constexpr std::uint32_t kLargestTexture = 1U << 15U;  // what fixed-point coordinates reach
  const Image& source = *images[image];
  const bool sound = source.pixels() > 0 && source.width <= kLargestTexture &&
                     source.height <= kLargestTexture && source.rgba.size() / 4 == source.pixels();
  auto& pyramid = pyramids[image];
  if (pyramid == nullptr && sound) {
    pyramid = make_pyramid(source);
  }
  return pyramid.get();
}

Textures::Textures(std::span<const Image* const> images) : impl_(std::make_unique<Impl>()) {
  impl_->images.assign(images.begin(), images.end());
  impl_->pyramids.resize(images.size());
}
Textures::Textures(Textures&&) noexcept = default;
Textures& Textures::operator=(Textures&&) noexcept = default;
Textures::~Textures() = default;

}  // namespace thaw::raster
