// Pictures into BLP. See blp.md#writing and blp.md#blp2.
#include <thaw/blp.hpp>
#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "formats/pictures/blp/document.hpp"
#include "image/block_encode.hpp"
#include "image/jpeg.hpp"
#include "image/palette.hpp"
#include "image/pixels.hpp"
#include "image/reduction.hpp"

#include <algorithm>
#include <optional>

namespace thaw::blp {
namespace {

constexpr std::size_t kBlp1Data = 156;
constexpr std::size_t kBlp2Data = 148;
constexpr std::size_t kPaletteBytes = 4 * kPaletteEntries;
/// Longer ones are said not to be read by all tools.
constexpr std::size_t kLongestJpegHeader = 624;
constexpr unsigned kAlphaBits = 8;

std::size_t common_prefix(const Bytes& a, const Bytes& b, std::size_t limit) {
  limit = std::min({limit, a.size(), b.size()});
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(limit);
  return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

/// Places the levels one after the other.
class Levels {
 public:
  Levels(Document& document, std::size_t offset) : document_(document), offset_(offset) {}

  void add(Bytes data) {
    document_.offsets[level_] = static_cast<std::uint32_t>(offset_);
    document_.sizes[level_] = static_cast<std::uint32_t>(data.size());
    const std::size_t size = data.size();
    document_.blocks.push_back({offset_, std::move(data)});
    offset_ += size;
    ++level_;
  }
  [[nodiscard]] std::uint64_t end() const { return offset_; }

 private:
  Document& document_;
  std::size_t offset_;
  std::size_t level_ = 0;
};

/// An image and how many levels of it are stored.
struct Chain {
  const Image& image;
  std::size_t count = 1;
};

Result<std::vector<Bytes>> jpeg_streams(const Chain& levels, int quality) {
  std::vector<Bytes> streams;
  std::optional<Error> failure;
  each_level(levels.image, levels.count, [&](const Image& level) {
    auto stream = encode_bgra_jpeg(level, quality);
    if (stream) {
      streams.push_back(std::move(*stream));
    } else {
      failure = std::move(stream.error());
    }
  });
  return failure ? Result<std::vector<Bytes>>(tl::unexpected<Error>(std::move(*failure)))
                 : std::move(streams);
}

Result<Document> with_jpeg(Document document, const Chain& levels, int quality) {
  auto streams = jpeg_streams(levels, std::clamp(quality, 1, 100));
  if (!streams) {
    return tl::unexpected<Error>(std::move(streams.error()));
  }
  std::size_t shared = kLongestJpegHeader;
  for (const Bytes& stream : *streams) {
    shared = common_prefix(streams->front(), stream, shared);
  }
  // A level without bytes of its own would not exist.
  shared = streams->size() == 1 ? 0 : shared;
  const auto cut = static_cast<std::ptrdiff_t>(shared);
  document.compression = 0;
  document.jpeg_header.assign(streams->front().begin(), streams->front().begin() + cut);
  document.jpeg_header_size = static_cast<std::uint32_t>(shared);
  Levels places(document, kBlp1Data + sizeof(std::uint32_t) + shared);
  for (Bytes& stream : *streams) {
    stream.erase(stream.begin(), stream.begin() + cut);
    places.add(std::move(stream));
  }
  return document;
}

Bytes palette_level(const Image& level, const Palette& palette, bool alpha) {
  Bytes data = palette_indices(level, palette);
  if (alpha) {
    const std::size_t pixels = data.size();
    data.resize(2 * pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      data[pixels + i] = level.rgba[i * kPixelBytes + 3];
    }
  }
  return data;
}

void store_palette(Document& document, const Palette& palette) {
  document.palette.resize(kPaletteEntries, {});
  for (std::size_t i = 0; i < palette.colors.size(); ++i) {
    const auto& color = palette.colors[i];
    document.palette[i] = {color[2], color[1], color[0], 0};
  }
}

Document with_palette(Document document, const Chain& levels, const Palette& palette, bool alpha) {
  store_palette(document, palette);
  const std::size_t start = document.variant == Variant::blp1 ? kBlp1Data : kBlp2Data;
  Levels places(document, start + kPaletteBytes);
  each_level(levels.image, levels.count,
             [&](const Image& level) { places.add(palette_level(level, palette, alpha)); });
  return document;
}

Document with_pixels(Document document, const Chain& levels, PixelEncoding encoding, const Control* control) {
  document.palette.resize(kPaletteEntries, {});
  Levels places(document, kBlp2Data + kPaletteBytes);
  each_level(levels.image, levels.count, [&](const Image& level) {
    if (encoding == PixelEncoding::bgra) {
      Image bgra = level;
      swap_red_and_blue(bgra);
      places.add(std::move(bgra.rgba));
    } else {
      places.add(encode_blocks(encoding == PixelEncoding::bc1 ? BlockFormat::bc1 : BlockFormat::bc3, level,
                               control));
    }
  });
  return document;
}

Document blp1_header(const Image& image, bool alpha, bool mipmaps) {
  Document document;
  document.variant = Variant::blp1;
  document.compression = 1;
  document.alpha_bits = alpha ? kAlphaBits : 0;
  document.width = image.width;
  document.height = image.height;
  document.extra = alpha ? 4 : 5;
  document.has_mipmaps = mipmaps ? 1 : 0;
  return document;
}

Document blp2_header(const Image& image, bool alpha, bool mipmaps, PixelEncoding encoding) {
  constexpr std::uint8_t kTypePalette = 8;
  constexpr std::uint8_t kTypeDxt5 = 7;
  Document document;
  document.variant = Variant::blp2;
  document.compression = 1;
  document.encoding = encoding == PixelEncoding::palette ? 1 : encoding == PixelEncoding::bgra ? 3 : 2;
  document.alpha_depth = alpha ? kAlphaBits : 0;
  document.alpha_type = encoding == PixelEncoding::palette || encoding == PixelEncoding::bgra ? kTypePalette
                        : encoding == PixelEncoding::bc3                                      ? kTypeDxt5
                                                                                              : 0;
  document.has_mips = mipmaps ? 1 : 0;
  document.width = image.width;
  document.height = image.height;
  return document;
}

PixelEncoding chosen(PixelEncoding target, Variant variant, bool alpha, const Palette& palette) {
  if (target != PixelEncoding::automatic) {
    return target;
  }
  if (palette.exact) {
    return PixelEncoding::palette;
  }
  return variant == Variant::blp1 ? PixelEncoding::jpeg : alpha ? PixelEncoding::bc3 : PixelEncoding::bc1;
}

bool can_hold(Variant variant, PixelEncoding encoding) {
  switch (encoding) {
    case PixelEncoding::palette:
      return true;
    case PixelEncoding::jpeg:
      return variant == Variant::blp1;
    case PixelEncoding::bc1:
    case PixelEncoding::bc3:
    case PixelEncoding::bgra:
      return variant == Variant::blp2;
    default:
      return false;
  }
}

}  // namespace

Result<Document> encode(const Image& image, Variant variant, const EncodeOptions& options,
                        Diagnostics& diagnostics) {
  if (image.pixels() == 0 || image.rgba.size() != image.pixels() * kPixelBytes) {
    return fail(codes::kImageMalformed, "the image has no pixels, or its data does not match its size");
  }
  const bool alpha = !is_opaque(image);
  const bool may_use_palette =
      options.encoding == PixelEncoding::automatic || options.encoding == PixelEncoding::palette;
  const Palette palette = may_use_palette ? make_palette(image) : Palette{};
  const PixelEncoding encoding = chosen(options.encoding, variant, alpha, palette);
  if (!can_hold(variant, encoding)) {
    return fail(codes::kImageUnsupported,
                variant == Variant::blp1 ? "BLP1 supports the encodings jpeg and palette only"
                                         : "BLP2 supports the encodings palette, bc1, bc3 and bgra only");
  }
  if (alpha && encoding == PixelEncoding::bc1) {
    diagnostics.add(codes::kImageAlphaBits,
                    "alpha dropped, because BC1 is written without alpha; use bc3 to preserve it");
  }
  const std::size_t most = options.mipmaps ? Document::kLevels : 1;
  const Chain levels{image, std::min(most, chain_length(image.width, image.height))};
  if (encoding == PixelEncoding::jpeg) {
    return with_jpeg(blp1_header(image, alpha, levels.count > 1), levels, options.quality);
  }
  const bool stored_alpha = alpha && encoding != PixelEncoding::bc1;
  Document header = variant == Variant::blp1 ? blp1_header(image, alpha, levels.count > 1)
                                             : blp2_header(image, stored_alpha, levels.count > 1, encoding);
  Document document = encoding == PixelEncoding::palette
                          ? with_palette(std::move(header), levels, palette, alpha)
                          : with_pixels(std::move(header), levels, encoding, options.control);
  return is_stopped(options.control) ? fail(codes::kStopped, "") : Result<Document>(std::move(document));
}

}  // namespace thaw::blp
