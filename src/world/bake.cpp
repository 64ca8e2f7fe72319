#include "world/bake.hpp"

#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include "bytes/hash.hpp"
#include "bytes/text.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

constexpr std::uint32_t kRepeats = 8;
constexpr std::uint32_t kMapSide = wdt::kMapSide;
constexpr std::size_t kChannels = 3;
/// What is left of the light in shadow, of 255. The client's own value is in its code, not in the format.
constexpr unsigned kShade = 150;

/// Between two neighbours: `first` and the one after it, by the share of the second, of 256.
struct Tap {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t share = 0;
};

/// Where pixels fall between samples. At the ends they keep the last sample, or go round.
std::vector<Tap> taps(std::uint32_t pixels, std::uint32_t samples, std::uint32_t repeats, bool wraps) {
  std::vector<Tap> result;
  result.reserve(pixels);
  const std::int64_t total = std::int64_t{samples} * repeats;
  for (std::uint32_t i = 0; i < pixels; ++i) {
    // The middle of pixel i in 512ths of a sample, less the half sample to the first sample's own middle.
    const std::int64_t place = ((2 * std::int64_t{i} + 1) * total * 256 / pixels - 256);
    const std::int64_t floor = place >= 0 ? place / 512 : -1;
    const auto share = static_cast<std::uint32_t>((place - floor * 512) / 2);
    const auto fit = [&](std::int64_t at) {
      const std::int64_t last = std::int64_t{samples} - 1;
      return static_cast<std::uint32_t>(wraps ? (at + samples) % samples
                                              : std::clamp<std::int64_t>(at, 0, last));
    };
    result.push_back({fit(floor), fit(floor + 1), share});
  }
  return result;
}

std::uint32_t between(std::uint32_t a, std::uint32_t b, std::uint32_t share) {
  return a * (256 - share) + b * share;
}

/// From and to which sample the map lies below one of fewer pixels.
std::pair<std::uint32_t, std::uint32_t> part_of_map(std::uint32_t pixel, std::uint32_t pixels) {
  return {pixel * kMapSide / pixels, (pixel + 1) * kMapSide / pixels};
}

/// A map of 64 × 64 bytes at another size: means where it gets smaller, linear where it gets larger.
Bytes resampled(const Bytes& map, std::uint32_t side) {
  Bytes result(std::size_t{side} * side);
  if (side == kMapSide) {
    return map;
  }
  if (side > kMapSide) {
    const auto along = taps(side, kMapSide, 1, false);
    for (std::uint32_t y = 0; y < side; ++y) {
      const std::uint8_t* upper = map.data() + std::size_t{along[y].first} * kMapSide;
      const std::uint8_t* lower = map.data() + std::size_t{along[y].second} * kMapSide;
      for (std::uint32_t x = 0; x < side; ++x) {
        const Tap& tap = along[x];
        const std::uint32_t top = between(upper[tap.first], upper[tap.second], tap.share);
        const std::uint32_t low = between(lower[tap.first], lower[tap.second], tap.share);
        result[std::size_t{y} * side + x] =
            static_cast<std::uint8_t>((between(top, low, along[y].share) + 32768) >> 16U);
      }
    }
    return result;
  }
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const auto [top, bottom] = part_of_map(y, side);
      const auto [left, right] = part_of_map(x, side);
      std::uint32_t sum = 0;
      for (std::uint32_t v = top; v < bottom; ++v) {
        for (std::uint32_t u = left; u < right; ++u) {
          sum += map[std::size_t{v} * kMapSide + u];
        }
      }
      const std::uint32_t count = (bottom - top) * (right - left);
      // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): fewer pixels than samples, so that each has some.
      result[std::size_t{y} * side + x] = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return result;
}

template <class F>
Bytes map_of(F&& at) {
  Bytes map(std::size_t{kMapSide} * kMapSide);
  for (std::size_t i = 0; i < map.size(); ++i) {
    map[i] = at(i % kMapSide, i / kMapSide);
  }
  return map;
}

std::uint8_t mixed(unsigned a, unsigned b, unsigned share) {
  return static_cast<std::uint8_t>((a * (255 - share) + b * share + 127) / 255);
}

/// The texture as it covers a chunk.
Bytes repeated(const Image& texture, std::uint32_t side) {
  const std::uint32_t requested = std::max<std::uint32_t>(1, side / kRepeats);
  const Image image =
      reduced(texture, std::min(texture.width, requested), std::min(texture.height, requested));
  const auto across = taps(side, image.width, kRepeats, true);
  const auto down = taps(side, image.height, kRepeats, true);
  Bytes pattern(std::size_t{side} * side * kChannels);
  for (std::uint32_t y = 0; y < side; ++y) {
    const std::uint8_t* upper = image.rgba.data() + std::size_t{down[y].first} * image.width * 4;
    const std::uint8_t* lower = image.rgba.data() + std::size_t{down[y].second} * image.width * 4;
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::size_t first = std::size_t{across[x].first} * 4;
      const std::size_t second = std::size_t{across[x].second} * 4;
      for (std::size_t c = 0; c < kChannels; ++c) {
        const std::uint32_t top = between(upper[first + c], upper[second + c], across[x].share);
        const std::uint32_t low = between(lower[first + c], lower[second + c], across[x].share);
        pattern[(std::size_t{y} * side + x) * kChannels + c] =
            static_cast<std::uint8_t>((between(top, low, down[y].share) + 32768) >> 16U);
      }
    }
  }
  return pattern;
}

void blend(Bytes& pixels, const GroundTextures::Pattern& over, const Bytes& alpha) {
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    if (alpha[i] == 0) {
      continue;
    }
    const std::uint8_t* color = over.at(i);
    for (std::size_t c = 0; c < kChannels; ++c) {
      std::uint8_t& pixel = pixels[i * kChannels + c];
      pixel = mixed(pixel, color[c], alpha[i]);
    }
  }
}

Bytes filled(const GroundTextures::Pattern& pattern, std::uint32_t side) {
  Bytes pixels(std::size_t{side} * side * kChannels);
  for (std::size_t i = 0; i < std::size_t{side} * side; ++i) {
    std::memcpy(pixels.data() + i * kChannels, pattern.at(i), kChannels);
  }
  return pixels;
}

void darken(Bytes& pixels, const Bytes& shadow) {
  for (std::size_t i = 0; i < shadow.size(); ++i) {
    const unsigned light = 255U - shadow[i] * (255U - kShade) / 255U;
    for (std::size_t c = i * kChannels; c < (i + 1) * kChannels; ++c) {
      pixels[c] = static_cast<std::uint8_t>(pixels[c] * light / 255U);
    }
  }
}

}  // namespace

std::uint32_t usable_size(std::uint32_t size) {
  constexpr std::uint32_t kLeast = kChunksPerSide;
  constexpr std::uint32_t kMost = 8192;
  return (std::clamp(size, kLeast, kMost) + kChunksPerSide / 2) / kChunksPerSide * kChunksPerSide;
}

std::array<std::uint8_t, 3> stand_in(std::string_view name) {
  // Any even spread would do, but it must be the same everywhere.
  const std::uint32_t hash = WordHash::of(name);
  // Earthy: never bright, never without colour.
  return {static_cast<std::uint8_t>(70 + hash % 90), static_cast<std::uint8_t>(75 + (hash >> 8U) % 75),
          static_cast<std::uint8_t>(45 + (hash >> 16U) % 60)};
}

GroundTextures::GroundTextures(const wdt::Tile& tile, const OpenTexture& open, std::uint32_t side) {
  const auto names = wdt::split_names(tile.textures);
  std::set<std::uint32_t> used;
  for (const auto& chunk : tile.chunks) {
    for (const auto& layer : chunk.layers) {
      used.insert(layer.texture_id);
    }
  }
  for (const std::uint32_t texture : used) {
    if (texture < names.size()) {
      const auto image = open ? open(names[texture]) : nullptr;
      const bool there = image != nullptr && image->pixels() > 0;
      patterns_[texture] = {there ? repeated(*image, side) : Bytes(), stand_in(names[texture])};
    }
  }
}

const GroundTextures::Pattern& GroundTextures::pattern(std::uint32_t texture) const {
  const auto found = patterns_.find(texture);
  return found != patterns_.end() ? found->second : nothing_;
}

Bytes bake_chunk(const wdt::Chunk& chunk, const GroundTextures& textures, std::uint32_t side, float upper) {
  const auto strength = static_cast<unsigned>(std::lround(std::clamp(upper, 0.0F, 1.0F) * 256));
  constexpr std::uint32_t kNoTexture = ~std::uint32_t{0};
  Bytes pixels =
      filled(textures.pattern(chunk.layers.empty() ? kNoTexture : chunk.layers.front().texture_id), side);
  for (std::size_t layer = 1; layer < std::min(chunk.layers.size(), wdt::kMostLayers); ++layer) {
    const Bytes alpha = map_of([&](std::size_t x, std::size_t y) {
      return static_cast<std::uint8_t>(chunk.alpha_at(layer, x, y) * strength / 256);
    });
    blend(pixels, textures.pattern(chunk.layers[layer].texture_id), resampled(alpha, side));
  }
  if (!chunk.shadow.empty()) {
    const Bytes shadow = map_of([&](std::size_t x, std::size_t y) {
      return static_cast<std::uint8_t>(chunk.shadow_at(x, y) ? 255 : 0);
    });
    darken(pixels, resampled(shadow, side));
  }
  return pixels;
}

Image bake_alone(const wdt::Tile& tile, const wdt::Chunk& chunk, const OpenTexture& open_texture,
                 std::uint32_t side, float upper) {
  wdt::Tile alone;  // the textures of the others are not needed
  alone.textures = tile.textures;
  alone.chunks = {chunk};
  const Bytes pixels = bake_chunk(chunk, GroundTextures(alone, open_texture, side), side, upper);
  Image image{side, side, Bytes(std::size_t{side} * side * 4, std::uint8_t{255})};
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    std::memcpy(image.rgba.data() + i * 4, pixels.data() + i * kChannels, kChannels);
  }
  return image;
}

Image bake(const wdt::Tile& tile, const OpenTexture& open_texture, std::uint32_t size,
           const std::function<float(const wdt::Chunk&)>& upper, const Control* control) {
  const std::uint32_t whole = usable_size(size);
  const std::uint32_t side = whole / kChunksPerSide;
  const GroundTextures textures(tile, open_texture, side);
  Image image{whole, whole, Bytes(std::size_t{whole} * whole * 4, std::uint8_t{0})};
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
    image.rgba[i] = 255;
  }
  for (const auto& chunk : tile.chunks) {
    if (is_stopped(control)) {
      break;
    }
    const Bytes pixels = bake_chunk(chunk, textures, side, upper ? upper(chunk) : 1.0F);
    const std::size_t top = std::size_t{chunk.slot} / kChunksPerSide * side;
    const std::size_t left = std::size_t{chunk.slot} % kChunksPerSide * side;
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x) {
        std::memcpy(image.rgba.data() + ((top + y) * whole + left + x) * 4,
                    pixels.data() + (y * side + x) * kChannels, kChannels);
      }
    }
  }
  return image;
}

}  // namespace thaw::world
