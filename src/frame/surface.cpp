#include "frame/surface.hpp"

#include "frame/builder.hpp"

#include <algorithm>

namespace thaw::frame {
namespace {

using Color = std::array<float, 3>;

Color mixed_color(const Color& a, const Color& b, float share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

/// 1 in the middle of a window, 0 outside.
float window(float u, float v, const Vec2& middle, const Vec2& half) {
  const float across = (u - middle[0]) / half[0];
  const float down = (v - middle[1]) / half[1];
  const float rest = std::max(0.0F, 1 - across * across * across * across - down * down * down * down);
  return std::min(1.0F, rest * 2);
}

Color surrounding_color(float u, float v) {
  constexpr Color kZenith = {0.44F, 0.52F, 0.64F};
  constexpr Color kHorizon = {0.82F, 0.83F, 0.82F};
  constexpr Color kGround = {0.56F, 0.53F, 0.49F};
  constexpr Color kNadir = {0.34F, 0.32F, 0.30F};
  constexpr Color kWhite = {1, 1, 1};
  const Color plain = v < 0.5F ? mixed_color(kZenith, kHorizon, v * 2 * v * 2)
                               : mixed_color(kGround, kNadir, std::min(1.0F, (v - 0.5F) * 3));
  const float bright = std::max(window(u, v, {0.3F, 0.24F}, {0.09F, 0.15F}),
                                0.6F * window(u, v, {0.78F, 0.3F}, {0.05F, 0.12F}));
  return mixed_color(plain, kWhite, bright);
}

Image make_surroundings() {
  constexpr std::uint32_t kHeight = 64;
  constexpr std::uint32_t kWidth = 2 * kHeight;
  Image image{kWidth, kHeight, Bytes(std::size_t{kWidth} * kHeight * 4, 255)};
  for (std::uint32_t y = 0; y < kHeight; ++y) {
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      const Color color = surrounding_color((static_cast<float>(x) + 0.5F) / static_cast<float>(kWidth),
                                            (static_cast<float>(y) + 0.5F) / static_cast<float>(kHeight));
      std::uint8_t* pixel = &image.rgba[(std::size_t{y} * kWidth + x) * 4];
      std::transform(color.begin(), color.end(), pixel, to_byte);
    }
  }
  return image;
}

/// Two channels store a normal: R and G, or A and G where R says nothing.
bool has_x_in_alpha(const Image& image) {
  const auto varies = [&](std::size_t channel) {
    for (std::size_t i = 4; i + 3 < image.rgba.size(); i += 4) {
      if (image.rgba[i + channel] != image.rgba[channel]) {
        return true;
      }
    }
    return false;
  };
  return !varies(0) && varies(3);
}

}  // namespace

const Image& surroundings() {
  static const Image kSurroundings = make_surroundings();
  return kSurroundings;
}

float environment_gain(const Image& image) {
  constexpr float kMost = 4;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    sum += std::uint64_t{image.rgba[i]} + image.rgba[i + 1] + image.rgba[i + 2];
  }
  const auto full = static_cast<float>(image.pixels()) * 3 * 255;
  return sum == 0 ? kMost : std::min(kMost, full / static_cast<float>(sum));
}

std::vector<SurfacePicture> surface_pictures(const scene::Scene& scene) {
  std::vector<SurfacePicture> pictures(scene.images.size());
  const auto image_of = [&](Index texture) {
    const Index image = texture < scene.textures.size() ? scene.textures[texture].image : kNone;
    return image < scene.images.size() ? image : kNone;
  };
  for (const auto& material : scene.materials) {
    for (const auto& layer : material.layers) {
      if (const Index image = image_of(layer.normal); image != kNone) {
        pictures[image].x_in_alpha = has_x_in_alpha(scene.images[image].image);
      }
      if (const Index image = image_of(layer.environment); image != kNone) {
        pictures[image].environment_gain = environment_gain(scene.images[image].image);
      }
    }
  }
  return pictures;
}

}  // namespace thaw::frame
