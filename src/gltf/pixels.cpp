#include "gltf/pixels.hpp"

#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

using scene::BlendMode;

constexpr std::size_t kChannels = 4;

int at(const thaw::Image& image, std::size_t index) { return image.rgba[index]; }

std::uint8_t to_byte(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

/// a · b of values that stand for 0 to 1.
int product(int a, int b) { return (a * b + 127) / 255; }

int mix(int from, int to, int share) { return (from * (255 - share) + to * share + 127) / 255; }

int alpha_byte(float alpha) { return static_cast<int>(std::lround(std::clamp(alpha, 0.0F, 1.0F) * 255)); }

/// Below this, textures of Modulate layers leave no trace (warcraft3-rendering.md#layers).
constexpr int kFaintestFilter = 5;
/// Below which Transparent layers leave no trace.
constexpr int kAlphaCutoff = static_cast<int>(scene::kKeyCutoff * 256);

struct Pixel {
  std::array<int, 3> color{};
  int alpha = 255;
};

Pixel load(const thaw::Image& image, std::size_t pixel) {
  const std::size_t i = pixel * kChannels;
  return {{at(image, i), at(image, i + 1), at(image, i + 2)}, at(image, i + 3)};
}

void store(thaw::Image& image, std::size_t pixel, const Pixel& value) {
  const std::size_t i = pixel * kChannels;
  for (std::size_t c = 0; c < value.color.size(); ++c) {
    image.rgba[i + c] = to_byte(value.color[c]);
  }
  image.rgba[i + 3] = to_byte(value.alpha);
}

/// Straight alpha over straight alpha.
Pixel blended(const Pixel& base, const Pixel& top, int share, bool translucent) {
  Pixel result = base;
  if (!translucent) {
    for (std::size_t c = 0; c < result.color.size(); ++c) {
      result.color[c] = mix(base.color[c], top.color[c], share);
    }
    return result;
  }
  const int after = product(base.alpha, 255 - share);
  result.alpha = share + after;
  for (std::size_t c = 0; c < result.color.size() && result.alpha > 0; ++c) {
    result.color[c] = (top.color[c] * share + base.color[c] * after + result.alpha / 2) / result.alpha;
  }
  return result;
}

Pixel drawn(const Pixel& base, const Pixel& top, BlendMode mode, int alpha, bool translucent) {
  Pixel result = base;
  const int share = product(top.alpha, alpha);
  switch (mode) {
    case BlendMode::opaque:
      result.color = top.color;
      break;
    case BlendMode::mask:
      return share >= kAlphaCutoff ? Pixel{top.color, translucent ? 255 : base.alpha} : base;
    case BlendMode::blend:
      return blended(base, top, share, translucent);
    case BlendMode::additive:
    case BlendMode::add_alpha:
      for (std::size_t c = 0; c < result.color.size(); ++c) {
        result.color[c] = base.color[c] + product(top.color[c], share);
      }
      break;
    case BlendMode::modulate:
    case BlendMode::modulate2x:
      for (std::size_t c = 0; c < result.color.size() && share >= kFaintestFilter; ++c) {
        result.color[c] = product(base.color[c], top.color[c]) * (mode == BlendMode::modulate ? 1 : 2);
      }
      break;
  }
  return result;
}

/// Where a pixel of the result lies between two of the source.
struct Tap {
  std::size_t first = 0;
  std::size_t second = 0;
  int share = 0;  ///< of the second, of 256
};

std::vector<Tap> taps(std::uint32_t from, std::uint32_t to) {
  std::vector<Tap> result(to);
  for (std::uint32_t i = 0; i < to; ++i) {
    // Centre of the pixel in 1/256 of source pixels.
    const std::int64_t center = ((2 * std::int64_t{i} + 1) * from * 128) / to - 128;
    const std::int64_t inside = std::clamp<std::int64_t>(center, 0, (std::int64_t{from} - 1) * 256);
    const auto first = static_cast<std::size_t>(inside / 256);
    result[i] = {first, std::min<std::size_t>(first + 1, from - 1), static_cast<int>(inside % 256)};
  }
  return result;
}

}  // namespace

bool is_complete(const thaw::Image& image) {
  return image.pixels() > 0 && image.pixels() * kChannels == image.rgba.size();
}

bool is_uniform(const thaw::Image& image) {
  for (std::size_t i = kChannels; i < image.rgba.size(); ++i) {
    if (image.rgba[i] != image.rgba[i - kChannels]) {
      return false;
    }
  }
  return true;
}

thaw::Image resized(const thaw::Image& image, std::uint32_t width, std::uint32_t height) {
  if (image.width == width && image.height == height) {
    return image;
  }
  const auto columns = taps(image.width, width);
  const auto rows = taps(image.height, height);
  thaw::Image result{width, height, {}};
  result.rgba.reserve(result.pixels() * kChannels);
  for (const Tap& y : rows) {
    for (const Tap& x : columns) {
      for (std::size_t c = 0; c < kChannels; ++c) {
        const auto value = [&](std::size_t row, std::size_t column) {
          return at(image, (row * image.width + column) * kChannels + c);
        };
        const int top = value(y.first, x.first) * (256 - x.share) + value(y.first, x.second) * x.share;
        const int bottom = value(y.second, x.first) * (256 - x.share) + value(y.second, x.second) * x.share;
        result.rgba.push_back(to_byte((top * (256 - y.share) + bottom * y.share + (1 << 15)) / (1 << 16)));
      }
    }
  }
  return result;
}

void draw_over(thaw::Image& base, const thaw::Image& top, BlendMode mode, float alpha, bool translucent) {
  const int factor = alpha_byte(alpha);
  for (std::size_t pixel = 0; pixel < base.pixels(); ++pixel) {
    store(base, pixel, drawn(load(base, pixel), load(top, pixel), mode, factor, translucent));
  }
}

void accumulate(thaw::Image& base, const thaw::Image& top, float alpha) {
  draw_over(base, top, BlendMode::additive, alpha, false);
}

void light_to_blend(thaw::Image& image) {
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    Pixel pixel = load(image, i);
    const int strongest = std::max({pixel.color[0], pixel.color[1], pixel.color[2]});
    for (int& color : pixel.color) {
      color = strongest == 0 ? 0 : (color * 255 + strongest / 2) / strongest;
    }
    pixel.alpha = strongest;
    store(image, i, pixel);
  }
}

void filter_to_blend(thaw::Image& image, bool doubled) {
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    const Pixel pixel = load(image, i);
    // Rec. 709 weights of 1024.
    const int brightness =
        (pixel.color[0] * 218 + pixel.color[1] * 732 + pixel.color[2] * 74) / 1024 * (doubled ? 2 : 1);
    Pixel result;
    if (pixel.alpha < kFaintestFilter) {
      result.alpha = 0;
    } else if (brightness <= 255) {
      result.alpha = 255 - brightness;
    } else {
      // White over a middle grey is as bright as the grey multiplied.
      result = {{255, 255, 255}, brightness - 255};
    }
    store(image, i, result);
  }
}

void rebuild_normals(thaw::Image& image) {
  bool red_varies = false;
  bool alpha_varies = false;
  for (std::size_t i = kChannels; i < image.rgba.size(); i += kChannels) {
    red_varies = red_varies || image.rgba[i] != image.rgba[0];
    alpha_varies = alpha_varies || image.rgba[i + 3] != image.rgba[3];
  }
  const std::size_t x_channel = alpha_varies && !red_varies ? 3 : 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += kChannels) {
    const double x = at(image, i + x_channel) / 127.5 - 1;
    const double y = at(image, i + 1) / 127.5 - 1;
    const double z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
    image.rgba[i] = image.rgba[i + x_channel];
    image.rgba[i + 2] = to_byte(static_cast<int>(std::lround((z + 1) * 127.5)));
    image.rgba[i + 3] = 255;
  }
}

void apply_team_color(thaw::Image& diffuse, const thaw::Image& team, const thaw::Image& mask) {
  for (std::size_t i = 0; i < diffuse.pixels(); ++i) {
    Pixel pixel = load(diffuse, i);
    const Pixel tint = load(team, i);
    const int share = load(mask, i).alpha;
    for (std::size_t c = 0; c < pixel.color.size(); ++c) {
      pixel.color[c] = mix(pixel.color[c], product(pixel.color[c], tint.color[c]), share);
    }
    store(diffuse, i, pixel);
  }
}

void show_below(thaw::Image& image, float alpha) {
  const int factor = alpha_byte(alpha);
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    store(image, i, {{255, 255, 255}, 255 - product(load(image, i).alpha, factor)});
  }
}

void take_alpha(thaw::Image& image, const thaw::Image& mask, BlendMode mode) {
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    Pixel pixel = load(image, i);
    const bool is_cut = mode == BlendMode::mask && pixel.alpha < kAlphaCutoff;
    pixel.alpha = is_cut ? 0 : load(mask, i).alpha;
    store(image, i, pixel);
  }
}

}  // namespace thaw::gltf
