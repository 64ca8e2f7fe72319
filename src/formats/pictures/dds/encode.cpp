// Pictures into DDS. See dds.md#structure.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/dds.hpp>

#include "image/block_encode.hpp"
#include "image/pixels.hpp"
#include "image/reduction.hpp"

#include <algorithm>

namespace thaw::dds {
namespace {

constexpr std::uint32_t kCaps = 0x1;
constexpr std::uint32_t kHeight = 0x2;
constexpr std::uint32_t kWidth = 0x4;
constexpr std::uint32_t kPitch = 0x8;
constexpr std::uint32_t kPixelFormat = 0x1000;
constexpr std::uint32_t kMipCount = 0x20000;
constexpr std::uint32_t kLinearSize = 0x80000;

constexpr std::uint32_t kComplex = 0x8;
constexpr std::uint32_t kTexture = 0x1000;
constexpr std::uint32_t kMipmap = 0x400000;

BlockFormat blocks_of(PixelEncoding encoding) {
  switch (encoding) {
    case PixelEncoding::bc1:
      return BlockFormat::bc1;
    case PixelEncoding::bc5:
      return BlockFormat::bc5_unsigned;
    default:
      return BlockFormat::bc3;
  }
}

FourCC four_cc(PixelEncoding encoding) {
  switch (encoding) {
    case PixelEncoding::bc1:
      return FourCC{"DXT1"};
    case PixelEncoding::bc5:
      return FourCC{"ATI2"};
    default:
      return FourCC{"DXT5"};
  }
}

void describe_pixels(Document& document, PixelEncoding encoding) {
  PixelFormat& format = document.pixel_format;
  if (encoding != PixelEncoding::bgra) {
    format.flags = PixelFormat::kFourCC;
    format.four_cc = four_cc(encoding);
    return;
  }
  format.flags = PixelFormat::kRgb | PixelFormat::kAlphaPixels;
  format.bits = 32;
  format.red_mask = 0x00FF0000;
  format.green_mask = 0x0000FF00;
  format.blue_mask = 0x000000FF;
  format.alpha_mask = 0xFF000000;
}

Bytes level_bytes(const Image& level, PixelEncoding encoding, const Control* control) {
  if (encoding != PixelEncoding::bgra) {
    return encode_blocks(blocks_of(encoding), level, control);
  }
  Image bgra = level;
  swap_red_and_blue(bgra);
  return std::move(bgra.rgba);
}

PixelEncoding chosen(PixelEncoding target, bool alpha) {
  if (target != PixelEncoding::automatic) {
    return target;
  }
  return alpha ? PixelEncoding::bc3 : PixelEncoding::bc1;
}

}  // namespace

Result<Document> encode(const Image& image, const EncodeOptions& options, Diagnostics& diagnostics) {
  if (image.pixels() == 0 || image.rgba.size() != image.pixels() * kPixelBytes) {
    return fail(codes::kImageMalformed, "the image has no pixels, or its data does not match its size");
  }
  const bool alpha = !is_opaque(image);
  const PixelEncoding encoding = chosen(options.encoding, alpha);
  if (encoding == PixelEncoding::jpeg || encoding == PixelEncoding::palette) {
    return fail(codes::kImageUnsupported, "DDS supports the encodings bc1, bc3, bc5 and bgra only");
  }
  if (alpha && (encoding == PixelEncoding::bc1 || encoding == PixelEncoding::bc5)) {
    diagnostics.add(codes::kImageAlphaBits,
                    encoding == PixelEncoding::bc1
                        ? "alpha dropped, because BC1 is written without alpha; use bc3 to preserve it"
                        : "alpha dropped, because BC5 has none; use bc3 to preserve it");
  }
  const std::size_t levels = options.mipmaps ? chain_length(image.width, image.height) : 1;
  const bool blocks = encoding != PixelEncoding::bgra;
  Document document;
  document.flags = kCaps | kHeight | kWidth | kPixelFormat | (blocks ? kLinearSize : kPitch) |
                   (levels > 1 ? kMipCount : 0);
  document.width = image.width;
  document.height = image.height;
  document.mip_count = static_cast<std::uint32_t>(levels);
  document.caps = kTexture | (levels > 1 ? kComplex | kMipmap : 0);
  describe_pixels(document, encoding);
  each_level(image, levels, [&](const Image& level) {
    Bytes bytes = level_bytes(level, encoding, options.control);
    if (document.data.empty()) {
      document.pitch = static_cast<std::uint32_t>(blocks ? bytes.size() : kPixelBytes * image.width);
      document.data.reserve(bytes.size() / 3 * 4 + 1024);
    }
    document.data.insert(document.data.end(), bytes.begin(), bytes.end());
  });
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  return document;
}

}  // namespace thaw::dds
