#include "image/pixels.hpp"

#include <thaw/control.hpp>

#include <limits>
#include <string>

namespace thaw {

namespace {

std::string size_text(std::uint32_t width, std::uint32_t height) {
  return std::to_string(width) + " × " + std::to_string(height) + " pixels";
}

}  // namespace

std::optional<Error> check_size(std::uint32_t width, std::uint32_t height, const Limits& limits) {
  // Low enough that no size in bytes, of whatever pixel format, wraps around.
  constexpr std::uint64_t kAddressable = std::numeric_limits<std::size_t>::max() / 64;
  const std::uint64_t pixels = std::uint64_t{width} * height;
  if (pixels == 0) {
    return Error{codes::kImageMalformed, {}, {}, "the image is empty: " + size_text(width, height)};
  }
  const std::uint64_t most = std::min(limits.max_image_pixels, kAddressable);
  if (pixels > most) {
    // The hint of the command knows it by its end.
    return Error{codes::kInputTooLarge,
                 {},
                 {},
                 "an image of " + size_text(width, height) + " exceeds the limit of " + std::to_string(most) +
                     " pixels"};
  }
  return {};
}

Result<Image> make_image(std::uint32_t width, std::uint32_t height, std::uint64_t needed,
                         std::uint64_t available, const ReadOptions& options) {
  if (auto error = check_size(width, height, options.limits)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  if (available < needed) {
    return fail(codes::kImageMalformed, size_text(width, height) + " need " + std::to_string(needed) +
                                            " bytes, but only " + std::to_string(available) +
                                            " are available");
  }
  Image image{width, height, {}};
  if (options.control != nullptr) {
    options.control->take_pictures(image.pixels() * kPixelBytes);
  }
  image.rgba.resize(static_cast<std::size_t>(image.pixels()) * kPixelBytes);
  return image;
}

namespace {

/// Replaces every pixel by `change(pixel)`; as whole words, so that compilers fill vectors with them.
template <class F>
void each_pixel(Image& image, F&& change) {
  std::uint8_t* at = image.rgba.data();
  const std::size_t count = image.rgba.size() / kPixelBytes;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, at + i * kPixelBytes, kPixelBytes);
    put_pixel(at + i * kPixelBytes, change(pixel));
  }
}

}  // namespace

void set_opaque(Image& image) {
  each_pixel(image, [](std::uint32_t pixel) { return pixel | pack_rgba(0, 0, 0, 255); });
}

void swap_red_and_blue(Image& image) {
  constexpr std::uint32_t kGreenAndAlpha = pack_rgba(0, 255, 0, 255);
  each_pixel(image, [](std::uint32_t pixel) {
    return (pixel & kGreenAndAlpha) | (pixel >> kRedShift & 255U) << kBlueShift |
           (pixel >> kBlueShift & 255U) << kRedShift;
  });
}

void unpremultiply(Image& image) {
  for (std::size_t at = 0; at < image.rgba.size(); at += kPixelBytes) {
    const unsigned alpha = image.rgba[at + 3];
    if (alpha == 0 || alpha == 255) {
      continue;
    }
    for (std::size_t channel = at; channel < at + 3; ++channel) {
      const unsigned straight = (image.rgba[channel] * 255U + alpha / 2) / alpha;
      image.rgba[channel] = static_cast<std::uint8_t>(std::min(straight, 255U));
    }
  }
}

}  // namespace thaw
