#include "formats/forgelight/dme/packed_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thaw::dme {
namespace {

constexpr std::size_t kPixel = 4;
/// Blue up to this says nothing of light (0.2 of 255).
constexpr unsigned kDark = 51;

/// The pixel of another picture that lies where this one's does.
const std::uint8_t* pixel_at(const Image& image, std::uint32_t x, std::uint32_t y, const Image& of) {
  const std::size_t column = std::uint64_t{x} * image.width / of.width;
  const std::size_t row = std::uint64_t{y} * image.height / of.height;
  return &image.rgba[(row * image.width + column) * kPixel];
}

/// How strong light in a colour has to be to look most like another.
std::uint8_t strength_of(const std::uint8_t* light, const std::uint8_t* color, double gain) {
  double light_dot = 0;
  double color_dot = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    light_dot += gain * light[c] * color[c];
    color_dot += static_cast<double>(color[c]) * color[c];
  }
  const double strength = color_dot > 0 && color[3] != 0 ? std::min(light_dot / color_dot, 1.0) * 255 : 0;
  const auto byte = static_cast<std::uint8_t>(std::lround(strength));
  return byte > kDark ? byte : std::uint8_t{0};
}

unsigned difference(const std::uint8_t* light, const std::uint8_t* color, double gain, unsigned strength) {
  unsigned most = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double requested = std::min(gain * light[c], 255.0);
    const double reproduced = static_cast<double>(color[c]) * strength / 255;
    most = std::max(most, static_cast<unsigned>(std::lround(std::abs(requested - reproduced))));
  }
  return most;
}

}  // namespace

Image packed_normals(Image normals) {
  // Above and below what the masks for tints say.
  constexpr std::uint8_t kNoSecondTint = 255;
  constexpr std::uint8_t kNoTint = 100;
  for (std::size_t at = 0; at + kPixel <= normals.rgba.size(); at += kPixel) {
    std::uint8_t* pixel = &normals.rgba[at];
    pixel[3] = pixel[0];
    pixel[0] = kNoSecondTint;
    pixel[2] = kNoTint;
  }
  return normals;
}

PackedSurface packed_surface(const Surface& surface) {
  constexpr std::array<std::uint8_t, kPixel> kWhite = {255, 255, 255, 255};
  PackedSurface packed;
  for (const Image* source : {surface.orm, surface.emissive}) {
    if (source != nullptr && source->pixels() > packed.image.pixels()) {
      packed.image.width = source->width;
      packed.image.height = source->height;
    }
  }
  packed.image.rgba.resize(packed.image.pixels() * kPixel, 0);
  for (std::uint32_t y = 0; y < packed.image.height; ++y) {
    for (std::uint32_t x = 0; x < packed.image.width; ++x) {
      std::uint8_t* to = &packed.image.rgba[(std::size_t{y} * packed.image.width + x) * kPixel];
      const auto* orm = surface.orm == nullptr ? kWhite.data() : pixel_at(*surface.orm, x, y, packed.image);
      to[0] = surface.orm == nullptr ? std::uint8_t{0} : orm[2];
      to[3] = orm[1];
      if (surface.emissive != nullptr) {
        const auto* light = pixel_at(*surface.emissive, x, y, packed.image);
        const auto* color =
            surface.color == nullptr ? kWhite.data() : pixel_at(*surface.color, x, y, packed.image);
        to[2] = strength_of(light, color, surface.gain);
        packed.off = std::max(packed.off, difference(light, color, surface.gain, to[2]));
      }
    }
  }
  return packed;
}

}  // namespace thaw::dme
