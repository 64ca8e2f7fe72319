#include <thaw/blp.hpp>

#include "formats/pictures/blp/document.hpp"
#include "image/blocks.hpp"
#include "image/jpeg.hpp"
#include "image/pixels.hpp"

namespace thaw::blp {
namespace {

/// What decoding one level needs.
struct Level {
  std::uint32_t width;
  std::uint32_t height;
  ByteView data;
};

/// Bytes of a level that is not JPEG; 0 for an encoding that is not known.
std::uint64_t level_bytes(const Document& document, std::uint32_t width, std::uint32_t height) {
  const std::uint64_t pixels = std::uint64_t{width} * height;
  switch (document.content()) {
    case Content::palette:
      return pixels + (pixels * document.alpha() + 7) / 8;
    case Content::dxt1:
      return block_data_size(block_bytes(BlockFormat::bc1), width, height);
    case Content::dxt3:
    case Content::dxt5:
      return block_data_size(block_bytes(BlockFormat::bc3), width, height);
    case Content::bgra:
      return pixels * kPixelBytes;
    default:
      return 0;
  }
}

Result<Image> make_image_for(const Level& level, std::uint64_t needed, const ReadOptions& options) {
  return make_image(level.width, level.height, needed, level.data.size(), options);
}

/// Alpha planes after the indices: one bit per pixel, lowest first; a nibble per pixel, low first; a byte.
template <unsigned bits>
void put_alpha(const std::uint8_t* plane, Image& image) {
  constexpr std::size_t kPerByte = 8 / bits;
  constexpr unsigned kMask = (1U << bits) - 1;
  const auto count = static_cast<std::size_t>(image.pixels());
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned value = plane[i / kPerByte] >> (i % kPerByte * bits) & kMask;
    image.rgba[i * kPixelBytes + 3] = static_cast<std::uint8_t>(value * (255U / kMask));
  }
}

void put_alpha(unsigned bits, const std::uint8_t* plane, Image& image) {
  switch (bits) {
    case 1:
      return put_alpha<1>(plane, image);
    case 4:
      return put_alpha<4>(plane, image);
    case 8:
      return put_alpha<8>(plane, image);
    default:
      return;
  }
}

std::array<std::uint32_t, kPaletteEntries> opaque_palette(const Document& document) {
  std::array<std::uint32_t, kPaletteEntries> colors;
  colors.fill(pack_rgba(0, 0, 0, 255));
  const std::size_t count = std::min(kPaletteEntries, document.palette.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& entry = document.palette[i];
    colors[i] = pack_rgba(entry[2], entry[1], entry[0], 255);
  }
  return colors;
}

Result<Image> decode_palette(const Document& document, const Level& level, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  const std::uint64_t pixels = std::uint64_t{level.width} * level.height;
  auto image = make_image_for(level, pixels, options);
  if (!image) {
    return image;
  }
  const auto colors = opaque_palette(document);
  for (std::size_t i = 0; i < pixels; ++i) {
    put_pixel(image->rgba.data() + i * kPixelBytes, colors[level.data[i]]);
  }
  const std::uint64_t alpha_bytes = (pixels * document.alpha() + 7) / 8;
  if (level.data.size() - pixels >= alpha_bytes) {
    put_alpha(document.alpha(), level.data.data() + pixels, *image);
  } else {
    diagnostics.add(codes::kImageDamaged, "the alpha plane is truncated; the image is opaque");
  }
  return image;
}

Result<Image> decode_dxt(BlockFormat format, const Level& level, std::uint64_t needed,
                         const ReadOptions& options) {
  auto image = make_image_for(level, needed, options);
  if (image) {
    decode_blocks(format, level.data.data(), level.width, level.height, image->rgba.data());
  }
  return image;
}

Result<Image> decode_bgra(const Level& level, std::uint64_t needed, const ReadOptions& options) {
  auto image = make_image_for(level, needed, options);
  if (image) {
    std::memcpy(image->rgba.data(), level.data.data(), static_cast<std::size_t>(needed));
    swap_red_and_blue(*image);
  }
  return image;
}

Result<Image> decode_jpeg(const Document& document, const Level& level, const ReadOptions& options,
                          Diagnostics& diagnostics) {
  auto image = decode_bgra_jpeg(document.jpeg_header, level.data, options, diagnostics);
  if (image && (image->width != level.width || image->height != level.height)) {
    diagnostics.add(codes::kImageOddity, "the JPEG has " + std::to_string(image->width) + " × " +
                                             std::to_string(image->height) + " pixels instead of " +
                                             std::to_string(level.width) + " × " +
                                             std::to_string(level.height) + "; the JPEG's size is used");
  }
  return image;
}

Result<Image> decode_plain(const Document& document, const Level& level, const ReadOptions& options,
                           Diagnostics& diagnostics) {
  const std::uint64_t needed = level_bytes(document, level.width, level.height);
  switch (document.content()) {
    case Content::palette:
      return decode_palette(document, level, options, diagnostics);
    case Content::dxt1:
      return decode_dxt(BlockFormat::bc1, level, needed, options);
    case Content::dxt3:
      return decode_dxt(BlockFormat::bc2, level, needed, options);
    case Content::dxt5:
      return decode_dxt(BlockFormat::bc3, level, needed, options);
    case Content::bgra:
      return decode_bgra(level, needed, options);
    default:
      return fail(codes::kImageUnsupported, "unsupported encoding " + std::to_string(document.encoding) +
                                                " with alpha type " + std::to_string(document.alpha_type));
  }
}

/// A statement that no level of the file can need comes from a broken table, and its offset with it.
bool size_is_garbage(const Document& document, std::size_t level) {
  return document.content() != Content::unknown &&
         document.sizes[level] / 2 > level_bytes(document, document.width, document.height);
}

}  // namespace

Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options,
                     Diagnostics& diagnostics) {
  const ByteView data = document.level_data(level);
  if (data.empty()) {
    return fail(codes::kImageMalformed, "the level has no data");
  }
  const Level found{level_side(document.width, level), level_side(document.height, level), data};
  const bool jpeg = document.content() == Content::jpeg;
  if (!jpeg) {
    if (auto error = check_size(document.width, document.height, options.limits)) {
      return tl::unexpected<Error>(std::move(*error));
    }
    if (size_is_garbage(document, level)) {
      return fail(codes::kImageMalformed, "the level states " + std::to_string(document.sizes[level]) +
                                              " bytes, more than its pixels can need");
    }
  }
  auto image = jpeg ? decode_jpeg(document, found, options, diagnostics)
                    : decode_plain(document, found, options, diagnostics);
  if (image && document.alpha() == 0) {
    set_opaque(*image);
  }
  return image;
}

}  // namespace thaw::blp
