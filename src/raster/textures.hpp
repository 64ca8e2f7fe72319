// Pictures as the rasteriser samples them: with smaller levels, in whole numbers.
#pragma once

#include <thaw/raster.hpp>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace thaw::raster {

/// R in the lowest byte.
using Rgba = std::uint32_t;

struct Level {
  const std::uint8_t* rgba = nullptr;
  std::int32_t width = 0;
  std::int32_t height = 0;
};

/// A picture and its halves down to one pixel.
struct Pyramid {
  std::vector<Level> levels;
  std::vector<Bytes> storage;
};

struct Textures::Impl {
  std::vector<const Image*> images;
  std::vector<std::unique_ptr<Pyramid>> pyramids;

  /// Null for pictures that do not exist or have no pixels.
  const Pyramid* prepare(frame::Index image);
};

/// The four channels of a pixel in 16 bits each.
using Wide = std::uint64_t;

inline Wide widen(const std::uint8_t* rgba) {
  return Wide{rgba[0]} | Wide{rgba[1]} << 16U | Wide{rgba[2]} << 32U | Wide{rgba[3]} << 48U;
}

/// `share` of 256 from a to b.
inline Wide mix(Wide a, Wide b, std::uint32_t share) {
  constexpr Wide kHalves = 0x0080008000800080U;
  constexpr Wide kBytes = 0x00FF00FF00FF00FFU;
  return ((a * (256 - share) + b * share + kHalves) >> 8U) & kBytes;
}

/// Where a coordinate falls: two texels and the share of the second.
struct Tap {
  std::int32_t first = 0;
  std::int32_t second = 0;
  std::uint32_t share = 0;
};

inline Tap tap(float coordinate, std::int32_t size, bool wrap) {
  // Not a number and whatever is too far out sample the border.
  if (!(coordinate > -1e6F && coordinate < 1e6F)) {
    coordinate = 0;
  }
  coordinate = wrap ? coordinate - std::floor(coordinate)
                    : (coordinate > 0 ? (coordinate < 1 ? coordinate : 1.0F) : 0.0F);
  constexpr float kShares = 256;
  const auto fixed = static_cast<std::int32_t>(coordinate * static_cast<float>(size) * kShares) - 128;
  const std::int32_t at = fixed >> 8;
  Tap result;
  result.share = static_cast<std::uint32_t>(fixed & 255);
  const auto fold = [&](std::int32_t texel) {
    if (wrap) {
      return texel < 0 ? texel + size : (texel >= size ? texel - size : texel);
    }
    return texel < 0 ? 0 : (texel >= size ? size - 1 : texel);
  };
  result.first = fold(at);
  result.second = fold(at + 1);
  return result;
}

inline Wide bilinear(const Level& level, float u, float v, bool wrap_u, bool wrap_v) {
  const Tap x = tap(u, level.width, wrap_u);
  const Tap y = tap(v, level.height, wrap_v);
  const auto texel = [&](std::int32_t column, std::int32_t row) {
    const auto index = static_cast<std::size_t>(row) * static_cast<std::size_t>(level.width) +
                       static_cast<std::size_t>(column);
    return widen(level.rgba + index * 4);
  };
  const Wide upper = mix(texel(x.first, y.first), texel(x.second, y.first), x.share);
  const Wide lower = mix(texel(x.first, y.second), texel(x.second, y.second), x.share);
  return mix(upper, lower, y.share);
}

/// The logarithm to base 2 of a normal float above 0, to two digits: plain arithmetic gives the same bits
/// everywhere.
inline float log2_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  const auto exponent = static_cast<std::int32_t>(bits >> 23U) - 127;
  const std::uint32_t fraction = (bits & 0x7FFFFFU) | 0x3F800000U;
  float m = 0;
  std::memcpy(&m, &fraction, sizeof m);
  m -= 1;
  return static_cast<float>(exponent) + m * (1.3465F - 0.3465F * m);
}

/// Trilinear, between the levels before and behind `lod`.
inline Wide sample_level(const Pyramid& pyramid, float u, float v, bool wrap_u, bool wrap_v, float lod) {
  if (!(lod > 0)) {
    return bilinear(pyramid.levels.front(), u, v, wrap_u, wrap_v);
  }
  const auto steps = static_cast<std::uint32_t>(lod * 256);
  const std::size_t level = steps >> 8U;
  if (level + 1 >= pyramid.levels.size()) {
    return bilinear(pyramid.levels.back(), u, v, wrap_u, wrap_v);
  }
  return mix(bilinear(pyramid.levels[level], u, v, wrap_u, wrap_v),
             bilinear(pyramid.levels[level + 1], u, v, wrap_u, wrap_v), steps & 255U);
}

/// `area` is the square of how many texels of the largest level a pixel is long.
inline Wide sample(const Pyramid& pyramid, float u, float v, bool wrap_u, bool wrap_v, float area) {
  constexpr float kBias = -0.25F;
  constexpr float kSmallest = 1e-20F;
  constexpr float kLargest = 1e20F;
  const float bounded = area > kSmallest ? (area < kLargest ? area : kLargest) : kSmallest;
  return sample_level(pyramid, u, v, wrap_u, wrap_v, log2_of(bounded) * 0.5F + kBias);
}

}  // namespace thaw::raster
