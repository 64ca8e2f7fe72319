// Pictures on their way into a game's texture: sizes, mip levels, and how the pixels are to be stored.
// blp::encode and dds::encode make the files.
#pragma once

#include <thaw/image.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// How a texture stores its pixels. A format takes only some of them.
enum class PixelEncoding : std::uint8_t {
  automatic,  ///< what keeps the picture best among what the format's games usually have
  jpeg,       ///< BLP1: four components, B G R A
  palette,    ///< BLP: 256 colours, alpha of its own
  bc1,        ///< BLP2, DDS: DXT1, opaque
  bc3,        ///< BLP2, DDS: DXT5, with alpha
  bc5,        ///< DDS: red and green only, for normal maps
  bgra,       ///< BLP2, DDS: 32 bits per pixel, nothing lost
};

/// How pixels are stored, and whether smaller levels come along.
struct EncodeOptions {
  PixelEncoding encoding = PixelEncoding::automatic;
  /// Of JPEG, 1 to 100.
  int quality = 92;
  /// All levels down to 1 × 1; otherwise only the picture itself.
  bool mipmaps = true;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A JPEG file as any program reads it, without alpha. `quality` is 1 to 100. Error: image.malformed for
/// sides above 65,500.
Result<Bytes> encode_jpeg(const Image& image, int quality = EncodeOptions().quality);

/// A lossless WebP file, which keeps the colours of transparent pixels. Errors: image.malformed without
/// pixels and for sides above 16,383, limit.stopped.
Result<Bytes> encode_webp(const Image& image, const Control* control = nullptr);

/// False if a pixel has alpha below 255.
bool is_opaque(const Image& image);

/// The picture in a smaller size. Each new pixel is the mean of the area that it covers, of the values as
/// stored, colours weighted with their alpha so that invisible pixels do not bleed. Sides are at least 1 and
/// at most the picture's own.
Image reduced(const Image& image, std::uint32_t width, std::uint32_t height);

/// The picture itself, or reduced until no side is longer than `longest`; 0 stands for no limit. Sides are
/// halved together, so that powers of two stay such; a last step that is no halving keeps the proportions.
Image fitted(const Image& image, std::uint32_t longest);

/// The picture and every level below it, each side half of the one before, rounded down, at least 1. At most
/// `limit` levels.
std::vector<Image> mip_chain(const Image& image, std::size_t limit = 32);

}  // namespace thaw

#pragma GCC visibility pop
