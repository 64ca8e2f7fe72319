// GIF89a: one palette for all pictures, by median cut; LZW.
#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include "image/png_parts.hpp"

#include <algorithm>

namespace thaw {
namespace {

constexpr std::size_t kColors = 255;  ///< one entry is left for what is clear
constexpr std::uint8_t kClear = 255;
constexpr unsigned kBits = 5;  ///< per channel, of the colours that are counted
constexpr std::size_t kCells = std::size_t{1} << (3 * kBits);

std::size_t cell_of(const std::uint8_t* rgba) {
  const unsigned drop = 8 - kBits;
  return static_cast<std::size_t>(rgba[0] >> drop) << (2 * kBits) |
         static_cast<std::size_t>(rgba[1] >> drop) << kBits | static_cast<std::size_t>(rgba[2] >> drop);
}

bool is_clear(const std::uint8_t* rgba) { return rgba[3] < 128; }

/// Counted colours: sums of their pixels, for a mean that is finer than the cells.
struct Cell {
  std::uint64_t count = 0;
  std::array<std::uint64_t, 3> sums{};
};

unsigned part_of(std::size_t cell, std::size_t channel) {
  return static_cast<unsigned>(cell >> (kBits * (2 - channel))) & ((1U << kBits) - 1);
}

class SharedPalette {
 public:
  SharedPalette(std::span<const Image> images, const Control* control) : cells_(kCells), indices_(kCells, 0) {
    for (const auto& image : images) {
      if (is_stopped(control)) {
        return;
      }
      for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        count(&image.rgba[i]);
      }
    }
    cut();
  }

  [[nodiscard]] const std::vector<std::array<std::uint8_t, 3>>& colors() const { return colors_; }
  [[nodiscard]] std::uint8_t index(const std::uint8_t* rgba) const {
    return is_clear(rgba) ? kClear : indices_[cell_of(rgba)];
  }

 private:
  using Box = std::vector<std::size_t>;  ///< cells

  void count(const std::uint8_t* rgba) {
    if (is_clear(rgba)) {
      return;
    }
    Cell& cell = cells_[cell_of(rgba)];
    ++cell.count;
    for (std::size_t i = 0; i < 3; ++i) {
      cell.sums.at(i) += rgba[i];
    }
  }

  /// The channel in which a box is widest, and how wide.
  static std::pair<unsigned, std::size_t> widest(const Box& box) {
    std::pair<unsigned, std::size_t> best{0, 0};
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const auto [least, most] = std::minmax_element(
          box.begin(), box.end(),
          [&](std::size_t a, std::size_t b) { return part_of(a, channel) < part_of(b, channel); });
      best = std::max(best, {part_of(*most, channel) - part_of(*least, channel), channel});
    }
    return best;
  }

  [[nodiscard]] std::uint64_t pixels(const Box& box) const {
    std::uint64_t sum = 0;
    for (const std::size_t cell : box) {
      sum += cells_[cell].count;
    }
    return sum;
  }

  void cut() {
    Box all;
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      if (cells_[cell].count > 0) {
        all.push_back(cell);
      }
    }
    std::vector<Box> boxes;
    if (!all.empty()) {
      boxes.push_back(std::move(all));
    }
    // By width and pixels; the first of equals, so that the result is the same everywhere.
    std::vector<std::uint64_t> weights;
    weights.reserve(kColors);
    const auto weight = [&](const Box& box) { return widest(box).first * (pixels(box) + 1); };
    for (const auto& box : boxes) {
      weights.push_back(weight(box));
    }
    while (!boxes.empty() && boxes.size() < kColors) {
      const auto at =
          static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
      if (weights[at] == 0) {
        break;
      }
      boxes.push_back(split(boxes[at]));
      weights[at] = weight(boxes[at]);
      weights.push_back(weight(boxes.back()));
    }
    for (const auto& box : boxes) {
      add_color(box);
    }
  }

  /// Takes the upper half of the pixels away along the widest channel.
  [[nodiscard]] Box split(Box& box) const {
    const std::size_t channel = widest(box).second;
    std::sort(box.begin(), box.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(part_of(a, channel), a) < std::pair(part_of(b, channel), b);
    });
    const std::uint64_t half = pixels(box) / 2;
    std::uint64_t sum = cells_[box.front()].count;
    std::size_t at = 1;
    while (at + 1 < box.size() && sum < half) {
      sum += cells_[box[at++]].count;
    }
    Box upper(box.begin() + static_cast<std::ptrdiff_t>(at), box.end());
    box.resize(at);
    return upper;
  }

  void add_color(const Box& box) {
    const std::uint64_t count = std::max<std::uint64_t>(pixels(box), 1);
    std::array<std::uint8_t, 3> color{};
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint64_t sum = 0;
      for (const std::size_t cell : box) {
        sum += cells_[cell].sums.at(i);
      }
      color.at(i) = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
    for (const std::size_t cell : box) {
      indices_[cell] = static_cast<std::uint8_t>(colors_.size());
    }
    colors_.push_back(color);
  }

  std::vector<Cell> cells_;
  std::vector<std::uint8_t> indices_;
  std::vector<std::array<std::uint8_t, 3>> colors_;
};

/// Codes of growing width, lowest bit first, in blocks of at most 255 bytes.
class CodeWriter {
 public:
  explicit CodeWriter(Bytes& out) : out_(out) {}
  void write(unsigned code, unsigned width) {
    bits_ |= code << used_;
    used_ += width;
    while (used_ >= 8) {
      put();
    }
  }
  void finish() {
    while (used_ > 0) {
      put();
    }
    flush();
    out_.push_back(0);
  }

 private:
  void put() {
    block_.push_back(static_cast<std::uint8_t>(bits_));
    bits_ >>= 8U;
    used_ = used_ > 8 ? used_ - 8 : 0;
    if (block_.size() == 255) {
      flush();
    }
  }
  void flush() {
    if (!block_.empty()) {
      out_.push_back(static_cast<std::uint8_t>(block_.size()));
      out_.insert(out_.end(), block_.begin(), block_.end());
      block_.clear();
    }
  }

  Bytes& out_;
  Bytes block_;
  unsigned bits_ = 0;
  unsigned used_ = 0;
};

void compress(const Bytes& indices, Bytes& out) {
  constexpr unsigned kRoot = 8;
  constexpr unsigned kReset = 1U << kRoot;
  constexpr unsigned kEnd = kReset + 1;
  constexpr unsigned kMostCodes = 4096;
  out.push_back(kRoot);
  CodeWriter writer(out);
  std::vector<std::uint16_t> table;  // by prefix and next index; 0 is none
  unsigned next = 0;
  unsigned width = 0;
  const auto reset = [&] {
    table.assign(std::size_t{kMostCodes} * 256, 0);
    next = kEnd + 1;
    width = kRoot + 1;
  };
  reset();
  writer.write(kReset, width);
  unsigned prefix = indices[0];
  for (std::size_t i = 1; i < indices.size(); ++i) {
    std::uint16_t& known = table[std::size_t{prefix} * 256 + indices[i]];
    if (known != 0) {
      prefix = known;
      continue;
    }
    writer.write(prefix, width);
    if (next < kMostCodes) {
      known = static_cast<std::uint16_t>(next);
      width += next == (1U << width) ? 1 : 0;
      ++next;
    } else {
      writer.write(kReset, width);
      reset();
    }
    prefix = indices[i];
  }
  writer.write(prefix, width);
  // A reader enters what that code completes before it reads on.
  width += next < kMostCodes && next == (1U << width) ? 1 : 0;
  writer.write(kEnd, width);
  writer.finish();
}

void append_value(Bytes& out, unsigned value) {
  out.push_back(static_cast<std::uint8_t>(value));
  out.push_back(static_cast<std::uint8_t>(value >> 8U));
}

void append_value(Bytes& out, std::string_view text) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
  out.insert(out.end(), first, first + text.size());
}

void append_picture(Bytes& out, const Image& image, const SharedPalette& palette, unsigned delay) {
  constexpr std::uint8_t kRestoreWithClear = 2 << 2U | 1;
  out.insert(out.end(), {0x21, 0xF9, 4, kRestoreWithClear});
  append_value(out, std::min((delay + 5) / 10, 65535U));
  out.insert(out.end(), {kClear, 0, 0x2C});
  append_value(out, 0);
  append_value(out, 0);
  append_value(out, image.width);
  append_value(out, image.height);
  out.push_back(0);
  Bytes indices(static_cast<std::size_t>(image.pixels()));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] = palette.index(&image.rgba[i * 4]);
  }
  compress(indices, out);
}

}  // namespace

Bytes encode_gif(std::span<const Image> images, unsigned delay, const Control* control) {
  constexpr std::uint32_t kLargestSide = 65535;
  const bool sound = !images.empty() && std::all_of(images.begin(), images.end(), [&](const Image& image) {
    return png::is_sound(image) && image.width == images[0].width && image.height == images[0].height &&
           image.width <= kLargestSide && image.height <= kLargestSide;
  });
  if (!sound) {
    return {};
  }
  const SharedPalette palette(images, control);
  std::uint64_t done = 0;
  Bytes out;
  append_value(out, "GIF89a");
  append_value(out, images[0].width);
  append_value(out, images[0].height);
  out.insert(out.end(), {0xF7, kClear, 0});
  for (std::size_t i = 0; i <= kClear; ++i) {
    const auto color = i < palette.colors().size() ? palette.colors()[i] : std::array<std::uint8_t, 3>{};
    out.insert(out.end(), color.begin(), color.end());
  }
  if (images.size() > 1) {
    out.insert(out.end(), {0x21, 0xFF, 11});
    append_value(out, "NETSCAPE2.0");
    out.insert(out.end(), {3, 1, 0, 0, 0});
  }
  for (const auto& image : images) {
    if (!proceed(control, "pictures", done++, images.size())) {
      return {};
    }
    append_picture(out, image, palette, delay);
  }
  out.push_back(0x3B);
  return out;
}

}  // namespace thaw
