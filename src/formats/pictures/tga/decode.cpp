#include <thaw/tga.hpp>

#include "describe/description.hpp"
#include "formats/pictures/tga/document.hpp"
#include "image/pixels.hpp"

namespace thaw::tga {
namespace {

constexpr std::uint32_t expand5(std::uint32_t value) { return replicate_bits(value & 31U, 5); }

/// A stored colour, with the alpha that it stores.
std::uint32_t load_color(const std::uint8_t* from, unsigned bits) {
  switch (bits) {
    case 8:
      return pack_rgba(from[0], from[0], from[0], 255);
    case 24:
      return pack_rgba(from[2], from[1], from[0], 255);
    case 32:
      return pack_rgba(from[2], from[1], from[0], from[3]);
    default: {
      const auto word = load_plain<std::uint16_t>(from);
      const bool visible = bits == 15 || (word & 0x8000U) != 0;
      return pack_rgba(expand5(word >> 10U), expand5(word >> 5U), expand5(word), visible ? 255 : 0);
    }
  }
}

/// Turns stored pixels into colours.
class Colors {
 public:
  explicit Colors(const Document& document)
      : document_(document),
        mapped_(document.image_type == ImageType::color_mapped ||
                document.image_type == ImageType::color_mapped_rle),
        grey_(document.image_type == ImageType::grey || document.image_type == ImageType::grey_rle) {}

  [[nodiscard]] std::uint32_t operator()(const std::uint8_t* from) const {
    if (mapped_) {
      return entry(document_.depth == 8 ? from[0] : load_plain<std::uint16_t>(from));
    }
    if (grey_ && document_.depth == 16) {
      return pack_rgba(from[0], from[0], from[0], from[1]);
    }
    return load_color(from, document_.depth);
  }

  /// Bits of the colours that the pixels stand for.
  [[nodiscard]] unsigned bits() const {
    if (mapped_) {
      return document_.color_map_depth;
    }
    return grey_ && document_.depth == 16 ? 32 : document_.depth;
  }

 private:
  /// Indices outside the map are black.
  [[nodiscard]] std::uint32_t entry(std::uint32_t index) const {
    const std::size_t size = bytes_of_bits(document_.color_map_depth);
    const std::size_t place = index - std::size_t{document_.color_map_first};
    if (index < document_.color_map_first || place >= document_.color_map.size() / size) {
      return pack_rgba(0, 0, 0, 255);
    }
    return load_color(document_.color_map.data() + place * size, document_.color_map_depth);
  }

  const Document& document_;
  bool mapped_;
  bool grey_;
};

/// Puts colours into the picture in the order of the file.
class Canvas {
 public:
  Canvas(const Document& document, Image& image)
      : image_(image),
        left_to_right_((document.descriptor & Document::kRightToLeft) == 0),
        top_to_bottom_((document.descriptor & Document::kTopToBottom) != 0) {}

  void put(std::uint32_t color, std::size_t count) {
    for (; count > 0 && row_ < image_.height; --count) {
      const std::size_t x = left_to_right_ ? column_ : image_.width - 1 - column_;
      const std::size_t y = top_to_bottom_ ? row_ : image_.height - 1 - row_;
      put_pixel(image_.rgba.data() + (y * image_.width + x) * kPixelBytes, color);
      if (++column_ == image_.width) {
        column_ = 0;
        ++row_;
      }
    }
  }

 private:
  Image& image_;
  bool left_to_right_;
  bool top_to_bottom_;
  std::size_t column_ = 0;
  std::size_t row_ = 0;
};

void unpack_plain(const Document& document, Image& image) {
  const Colors colors(document);
  Canvas canvas(document, image);
  const std::size_t size = bytes_of_bits(document.depth);
  for (std::size_t at = 0; at + size <= document.pixels.size(); at += size) {
    canvas.put(colors(document.pixels.data() + at), 1);
  }
}

void unpack_runs(const Document& document, Image& image) {
  const Colors colors(document);
  Canvas canvas(document, image);
  const std::size_t size = bytes_of_bits(document.depth);
  const Bytes& packets = document.pixels;
  std::size_t at = 0;
  while (at < packets.size()) {
    const bool run = (packets[at] & 0x80U) != 0;
    const std::size_t count = (packets[at] & 0x7FU) + std::size_t{1};
    ++at;
    const std::size_t colors_stored = run ? 1 : count;
    if (colors_stored * size > packets.size() - at) {
      return;
    }
    for (std::size_t i = 0; i < colors_stored; ++i, at += size) {
      canvas.put(colors(packets.data() + at), run ? count : 1);
    }
  }
}

bool all_transparent(const Image& image) {
  for (std::size_t at = 3; at < image.rgba.size(); at += kPixelBytes) {
    if (image.rgba[at] != 0) {
      return false;
    }
  }
  return true;
}

/// Whether the stored alpha is one.
bool alpha_counts(const Document& document, const Image& image) {
  constexpr std::uint8_t kUseful = 3;
  const bool stated = (document.descriptor & Document::kAlphaBits) != 0;
  if (document.extension && document.extension->attributes >= kUseful) {
    return true;
  }
  // An extension that says no is believed only together with the descriptor: writers forget it.
  if (stated) {
    return true;
  }
  return !document.extension && Colors(document).bits() == 32 && !all_transparent(image);
}

}  // namespace

Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options,
                     Diagnostics& /*diagnostics*/) {
  constexpr std::uint8_t kPremultiplied = 4;
  if (level != 0) {
    return fail(codes::kImageMalformed,
                "level " + std::to_string(level) + " does not exist; a TGA file has one level");
  }
  const std::uint64_t pixels = std::uint64_t{document.width} * document.height;
  if (stored_pixels(document) < pixels) {
    return fail(codes::kImageMalformed, "the file states " + std::to_string(pixels) + " pixels, but has " +
                                            std::to_string(stored_pixels(document)));
  }
  auto image = make_image(document.width, document.height, 0, 0, options);
  if (!image) {
    return image;
  }
  if (document.is_run_length_coded()) {
    unpack_runs(document, *image);
  } else {
    unpack_plain(document, *image);
  }
  if (!alpha_counts(document, *image)) {
    set_opaque(*image);
  } else if (document.extension && document.extension->attributes == kPremultiplied) {
    unpremultiply(*image);
  }
  return image;
}

}  // namespace thaw::tga
