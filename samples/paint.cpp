#include "paint.hpp"

#include <thaw/blp.hpp>
#include <thaw/image.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}
Rgb to_rgb(const Color& color) { return {to_byte(color.r), to_byte(color.g), to_byte(color.b)}; }

double lattice(int x, int y, unsigned seed) {
  unsigned hash =
      static_cast<unsigned>(x) * 374761393U + static_cast<unsigned>(y) * 668265263U + seed * 2654435761U;
  hash = (hash ^ (hash >> 13U)) * 1274126177U;
  return ((hash ^ (hash >> 16U)) & 0xFFFFU) / 65535.0;
}

class LittleEndian {
 public:
  void u16(unsigned value) { put(value, 2); }
  void u32(unsigned value) { put(value, 4); }
  void zeros(std::size_t count) { bytes.resize(bytes.size() + count, std::uint8_t{0}); }
  void set_u32(std::size_t at, std::size_t value) {
    for (unsigned i = 0; i < 4; ++i) {
      bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }
  void tag(const char* text) {
    for (unsigned i = 0; i < 4; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(text[i]));
    }
  }

  Bytes bytes;

 private:
  void put(unsigned value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }
};

std::vector<Canvas> mip_chain(const Canvas& canvas) {
  std::vector<Canvas> levels = {canvas};
  while (levels.back().width() > 1 || levels.back().height() > 1) {
    levels.push_back(levels.back().halved());
  }
  return levels;
}

// --- palette by median cut
// -------------------------------------------------------------------------------------

struct Box {
  std::size_t begin = 0;
  std::size_t end = 0;
  unsigned widest = 0;  ///< channel
  int spread = 0;
};

Box measure(const std::vector<Rgb>& colors, std::size_t begin, std::size_t end) {
  Box box{begin, end, 0, -1};
  for (unsigned channel = 0; channel < 3; ++channel) {
    int low = 255;
    int high = 0;
    for (std::size_t i = begin; i < end; ++i) {
      low = std::min<int>(low, colors[i].at(channel));
      high = std::max<int>(high, colors[i].at(channel));
    }
    if (high - low > box.spread) {
      box.spread = high - low;
      box.widest = channel;
    }
  }
  return box;
}

Rgb average(const std::vector<Rgb>& colors, const Box& box) {
  Rgb mean{};
  for (unsigned channel = 0; channel < 3; ++channel) {
    std::size_t sum = 0;
    for (std::size_t i = box.begin; i < box.end; ++i) {
      sum += colors[i].at(channel);
    }
    mean.at(channel) = static_cast<std::uint8_t>(sum / (box.end - box.begin));
  }
  return mean;
}

std::vector<Rgb> make_palette(std::vector<Rgb> colors) {
  std::sort(colors.begin(), colors.end());
  std::vector<Box> boxes = {measure(colors, 0, colors.size())};
  while (boxes.size() < 256) {
    const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                         [](const Box& a, const Box& b) { return a.spread < b.spread; });
    if (widest->spread <= 0) {
      break;
    }
    const Box box = *widest;
    const auto first = colors.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = colors.begin() + static_cast<std::ptrdiff_t>(box.end);
    std::stable_sort(first, last,
                     [&](const Rgb& a, const Rgb& b) { return a.at(box.widest) < b.at(box.widest); });
    const std::size_t middle = (box.begin + box.end) / 2;
    *widest = measure(colors, box.begin, middle);
    boxes.push_back(measure(colors, middle, box.end));
  }
  std::vector<Rgb> palette;
  for (const Box& box : boxes) {
    palette.push_back(average(colors, box));
  }
  return palette;
}

std::uint8_t nearest(const std::vector<Rgb>& palette, const Rgb& color) {
  int best = 1 << 30;
  std::size_t found = 0;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    int distance = 0;
    for (unsigned channel = 0; channel < 3; ++channel) {
      const int difference = palette[i].at(channel) - color.at(channel);
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return static_cast<std::uint8_t>(found);
}

void put_blp_level(LittleEndian& file, const Canvas& level, const std::vector<Rgb>& palette, bool alpha) {
  for (unsigned y = 0; y < level.height(); ++y) {
    for (unsigned x = 0; x < level.width(); ++x) {
      file.bytes.push_back(nearest(palette, to_rgb(level.at(x, y))));
    }
  }
  for (unsigned y = 0; alpha && y < level.height(); ++y) {
    for (unsigned x = 0; x < level.width(); ++x) {
      file.bytes.push_back(to_byte(level.at(x, y).a));
    }
  }
}

// --- block compression
// -----------------------------------------------------------------------------------------

using Block = std::array<Color, 16>;

Block block_at(const Canvas& level, unsigned left, unsigned top) {
  Block block;
  for (unsigned i = 0; i < 16; ++i) {
    block.at(i) =
        level.at(std::min(left + i % 4, level.width() - 1), std::min(top + i / 4, level.height() - 1));
  }
  return block;
}

double brightness(const Color& color) { return color.r + 2 * color.g + color.b; }

unsigned to_565(const Color& color) {
  const auto scaled = [](double value, unsigned top) {
    return static_cast<unsigned>(std::lround(std::clamp(value, 0.0, 1.0) * top));
  };
  return scaled(color.r, 31) << 11U | scaled(color.g, 63) << 5U | scaled(color.b, 31);
}

/// End points are the darkest and the brightest pixel.
void put_color_block(LittleEndian& file, const Block& block) {
  const auto darker = [](const Color& a, const Color& b) { return brightness(a) < brightness(b); };
  const auto [dark, bright] = std::minmax_element(block.begin(), block.end(), darker);
  unsigned high = to_565(*bright);
  unsigned low = to_565(*dark);
  const bool swapped = high < low;  // the order of the words chooses the mode with four colours
  if (swapped) {
    std::swap(high, low);
  }
  const double from = brightness(*dark);
  const double range = brightness(*bright) - from;
  unsigned bits = 0;
  for (unsigned i = 0; i < 16 && high != low; ++i) {
    const double share = range > 0 ? (brightness(block.at(i)) - from) / range : 0;
    const auto step = static_cast<unsigned>(std::lround(3 * share));
    constexpr std::array<unsigned, 4> kCodes = {1, 3, 2, 0};  // dark to bright
    bits |= kCodes.at(swapped ? 3 - step : step) << (2 * i);
  }
  file.u16(high);
  file.u16(low);
  file.u32(bits);
}

void put_alpha_block(LittleEndian& file, const Block& block) {
  const auto less = [](const Color& a, const Color& b) { return a.a < b.a; };
  const auto [low, high] = std::minmax_element(block.begin(), block.end(), less);
  const std::uint8_t top = to_byte(high->a);
  const std::uint8_t bottom = to_byte(low->a);
  file.bytes.push_back(top);
  file.bytes.push_back(bottom);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 16 && top > bottom; ++i) {
    const double share = (to_byte(block.at(i).a) - bottom) / static_cast<double>(top - bottom);
    const auto step = static_cast<unsigned>(std::lround(7 * (1 - share)));  // 0 is the top
    const std::uint64_t code = step == 0 ? 0 : step == 7 ? 1 : step + 1;
    bits |= code << (3 * i);
  }
  for (unsigned i = 0; i < 6; ++i) {
    file.bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
}

}  // namespace

Color mix(const Color& from, const Color& to, double share) {
  const auto between = [&](double a, double b) { return a + (b - a) * share; };
  return {between(from.r, to.r), between(from.g, to.g), between(from.b, to.b), between(from.a, to.a)};
}
Color shaded(const Color& color, double factor) {
  return {color.r * factor, color.g * factor, color.b * factor, color.a};
}
double ramp(double from, double to, double value) {
  const double share = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return share * share * (3 - 2 * share);
}

double noise(double x, double y, unsigned seed, int period) {
  const double left = std::floor(x);
  const double top = std::floor(y);
  const auto corner = [&](int dx, int dy) {
    const auto wrap = [&](double at, int step) {
      return ((static_cast<int>(at) + step) % period + period) % period;
    };
    return lattice(wrap(left, dx), wrap(top, dy), seed);
  };
  const double u = ramp(0, 1, x - left);
  const double v = ramp(0, 1, y - top);
  const double upper = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * u;
  const double lower = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * u;
  return upper + (lower - upper) * v;
}

void Canvas::paint(unsigned left, unsigned top, unsigned width, unsigned height,
                   const std::function<Color(double u, double v)>& color) {
  for (unsigned y = 0; y < height; ++y) {
    for (unsigned x = 0; x < width; ++x) {
      at(left + x, top + y) = color((x + 0.5) / width, (y + 0.5) / height);
    }
  }
}

Canvas Canvas::halved() const {
  Canvas half(std::max(1U, width_ / 2), std::max(1U, height_ / 2));
  for (unsigned y = 0; y < half.height(); ++y) {
    for (unsigned x = 0; x < half.width(); ++x) {
      const unsigned right = std::min(2 * x + 1, width_ - 1);
      const unsigned below = std::min(2 * y + 1, height_ - 1);
      const unsigned left = std::min(2 * x, width_ - 1);
      const unsigned above = std::min(2 * y, height_ - 1);
      half.at(x, y) =
          mix(mix(at(left, above), at(right, above), 0.5), mix(at(left, below), at(right, below), 0.5), 0.5);
    }
  }
  return half;
}

Canvas painted(Color (*color)(double u, double v)) {
  Canvas canvas(128, 128);
  canvas.paint(color);
  return canvas;
}

Bytes write_blp(const Canvas& canvas, bool alpha) {
  std::vector<Rgb> colors;
  for (unsigned y = 0; y < canvas.height(); ++y) {
    for (unsigned x = 0; x < canvas.width(); ++x) {
      colors.push_back(to_rgb(canvas.at(x, y)));
    }
  }
  const auto palette = make_palette(std::move(colors));
  const auto levels = mip_chain(canvas);
  constexpr std::size_t kOffsets = 28;
  constexpr std::size_t kSizes = 92;
  LittleEndian file;
  file.tag("BLP1");
  for (const unsigned word : {1U, alpha ? 8U : 0U, canvas.width(), canvas.height(), alpha ? 4U : 5U, 1U}) {
    file.u32(word);
  }
  file.zeros(2 * 16 * 4);
  for (std::size_t i = 0; i < 256; ++i) {
    const Rgb entry = i < palette.size() ? palette[i] : Rgb{};
    file.bytes.insert(file.bytes.end(), {entry[2], entry[1], entry[0], std::uint8_t{0}});
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::size_t start = file.bytes.size();
    put_blp_level(file, levels[i], palette, alpha);
    file.set_u32(kOffsets + 4 * i, start);
    file.set_u32(kSizes + 4 * i, file.bytes.size() - start);
  }
  return file.bytes;
}

Bytes write_blp2(const Canvas& canvas, bool alpha) {
  Image image{canvas.width(), canvas.height(), {}};
  for (unsigned y = 0; y < canvas.height(); ++y) {
    for (unsigned x = 0; x < canvas.width(); ++x) {
      const Color& color = canvas.at(x, y);
      const Rgb rgb = to_rgb(color);
      const auto opacity = static_cast<std::uint8_t>(alpha && color.a < 0.5 ? 0 : 255);
      image.rgba.insert(image.rgba.end(), {rgb[0], rgb[1], rgb[2], opacity});
    }
  }
  EncodeOptions options;
  options.encoding = alpha ? PixelEncoding::bc3 : PixelEncoding::bc1;
  Diagnostics findings;
  const auto texture = blp::encode(image, blp::Variant::blp2, options, findings);
  return texture ? blp::write(*texture) : Bytes{};
}

Bytes write_dds(const Canvas& canvas, bool alpha) {
  const auto levels = mip_chain(canvas);
  const unsigned block_size = alpha ? 16 : 8;
  const unsigned top_size = ((canvas.width() + 3) / 4) * ((canvas.height() + 3) / 4) * block_size;
  LittleEndian file;
  file.tag("DDS ");
  constexpr unsigned kFlags = 0x1U | 0x2U | 0x4U | 0x1000U | 0x20000U | 0x80000U;
  for (const unsigned word : {124U, kFlags, canvas.height(), canvas.width(), top_size, 0U}) {
    file.u32(word);
  }
  file.u32(static_cast<unsigned>(levels.size()));
  file.zeros(11 * 4);
  file.u32(32);
  file.u32(4);
  file.tag(alpha ? "DXT5" : "DXT1");
  file.zeros(5 * 4);
  file.u32(0x8U | 0x1000U | 0x400000U);
  file.zeros(4 * 4);
  for (const Canvas& level : levels) {
    for (unsigned y = 0; y < level.height(); y += 4) {
      for (unsigned x = 0; x < level.width(); x += 4) {
        const Block block = block_at(level, x, y);
        if (alpha) {
          put_alpha_block(file, block);
        }
        put_color_block(file, block);
      }
    }
  }
  return file.bytes;
}

}  // namespace thaw::samples
