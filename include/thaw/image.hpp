// Images: decoded textures, PNG and JPEG files, APNG and GIF, height and mask images.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// 8 bits per channel, R G B A, straight alpha, sRGB as stored, top row first, no padding between rows.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Bytes rgba;

  /// Width × height.
  [[nodiscard]] std::uint64_t pixels() const { return std::uint64_t{width} * height; }
  friend bool operator==(const Image&, const Image&) = default;
};

/// Any texture that the library reads (BLP1, BLP2, DDS, TGA, PNG, JPEG, and WebP for glTF), recognised by
/// content, at its largest level that decodes. Broken levels are reported as image.mip.
Result<Image> decode_texture(ByteView bytes, const ReadOptions& options = {},
                             Diagnostics& diagnostics = Diagnostics::discarded());

/// The same, reduced as `fitted` does until no side is longer than `longest` (0: as it is). PNG and JPEG are
/// reduced while they are decoded, which takes no memory for the whole, so that they may have 16 times as
/// many pixels as the limits state; not if they are interlaced or progressive.
Result<Image> decode_fitted(ByteView bytes, std::uint32_t longest, const ReadOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::discarded());

/// Any PNG as 8-bit RGBA. Errors: image.malformed, input.too-large.
Result<Image> decode_png(ByteView bytes, const ReadOptions& options = {});

/// What conversions use: level 6 makes files 6 % smaller and takes three times as long.
inline constexpr int kDefaultPngLevel = 1;

/// A PNG file; RGB without alpha channel if every pixel is opaque. Same picture, same bytes. `level` 1 (fast)
/// to 12. Empty for an image without pixels, or whose `rgba` does not have width × height × 4 bytes, and if
/// `control` was stopped.
Bytes encode_png(const Image& image, int level = kDefaultPngLevel, const Control* control = nullptr);

// --- images that become textures: size, mip levels, pixel encoding. blp::encode and dds::encode make the
// files

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

// PNG files as lists of chunks, so that they survive being read and written like any other format. Pictures
// are read by decode_png and written by encode_png (thaw/image.hpp).
//
// Source: Portable Network Graphics specification, third edition, chapter 5.

/// PNG files as lists of chunks.
namespace thaw::png {

/// A chunk, whatever is in it.
struct Chunk {
  FourCC type;
  Bytes data;
  std::array<std::uint8_t, 4> crc{};  ///< of type and data, as stored, highest byte first

  static constexpr std::size_t kMinSize = 12;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A file: its chunks in order.
struct Document {
  std::vector<Chunk> chunks;  ///< to the first IEND, or to the first chunk that is cut off
  std::vector<Gap> gaps;      ///< what follows them

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin with PNG's signature.
bool is_png(ByteView bytes);

/// Reads the chunks without looking into them; wrong checksums are reported as image.damaged, a file that
/// ends before IEND as read.truncated (with `options.strict` that is the error). Errors: format.unknown,
/// input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Checksums are not recalculated.
Bytes write(const Document& document);

/// Shows every chunk with its offset.
void inspect(const Document& document, Inspector& inspector);

/// PNG has one level.
std::size_t level_count(const Document& document);

/// As decode_png.
Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::png

// JPEG files as lists of segments, so that they survive being read and written like any other format.
// Pictures are read by decode_texture (thaw/image.hpp); glTF has them, games do not take them.
//
// Source: ITU-T T.81, annex B.

/// JPEG files as lists of segments.
namespace thaw::jpeg {

/// A marker with what belongs to it.
struct Segment {
  std::uint8_t marker = 0;  ///< the byte after 0xFF
  Bytes data;               ///< after its length, for markers that have one
  Bytes scan;               ///< after a start of scan: coded pixels, up to the next marker

  static constexpr std::size_t kMinSize = 2;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A file: its segments in order.
struct Document {
  std::vector<Segment> segments;  ///< to the end of the image, or to the first segment that is cut off
  std::vector<Gap> gaps;          ///< what follows them

  friend bool operator==(const Document&, const Document&) = default;
};

/// What the frame header says.
struct Frame {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  unsigned components = 0;
  bool progressive = false;
};
/// That of the first frame; none where there is no whole one.
std::optional<Frame> frame_of(const Document& document);

/// Reads the segments without decoding them; a file that ends before its end marker is reported as
/// read.truncated (with `options.strict` that is the error). Errors: format.unknown, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes.
Bytes write(const Document& document);

/// Shows every segment with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::jpeg

// --- APNG and GIF, and PNG with comments

namespace thaw {

/// A comment in a PNG file: a keyword (Latin-1, 1 to 79 characters) and its text.
struct PngText {
  std::string keyword;
  std::string text;
  friend bool operator==(const PngText&, const PngText&) = default;
};

/// A PNG with tEXt chunks; otherwise as encode_png.
Bytes encode_png(const Image& image, std::span<const PngText> texts, int level = kDefaultPngLevel,
                 const Control* control = nullptr);

/// The tEXt chunks of a PNG; none if it is not one.
std::vector<PngText> png_texts(ByteView bytes);

/// All pictures, one after the other, `delay` milliseconds each, again and again. Viewers that know no APNG
/// show the first. Empty if there are no pictures or their sizes differ, and if `control` was stopped.
Bytes encode_apng(std::span<const Image> images, unsigned delay, int level = kDefaultPngLevel,
                  const Control* control = nullptr);

/// The same as GIF: 255 colours that fit all pictures, alpha below one half is clear, delays in hundredths of
/// a second. Sides up to 65,535. Empty if `control` was stopped.
Bytes encode_gif(std::span<const Image> images, unsigned delay, const Control* control = nullptr);

// --- icons of Warcraft III's commands

/// The icon of what cannot be used (DISBTN…): nearly without colour, and half as bright. Alpha stays.
Image disabled_icon(const Image& icon);

// --- images of one channel: heights, areas, masks

/// Top row first, no padding.
struct GreyImage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  unsigned bits = 8;  ///< 8 or 16 per pixel in files; values must fit
  Array<std::uint16_t> values;

  friend bool operator==(const GreyImage&, const GreyImage&) = default;
};

/// A PNG file of one channel. Same picture, same bytes. `level` 1 (fast) to 12. Empty for a picture without
/// pixels, or whose `values` are not width × height, or of other bits.
Bytes encode_png(const GreyImage& image, int level);

/// The grey of a PNG, in 16 bits if it has as many; of one with colours the red. Errors as decode_png.
Result<GreyImage> decode_grey(ByteView bytes, const ReadOptions& options = {});

/// The values row by row, little-endian, without a header: what engines import as RAW.
Bytes encode_raw(const GreyImage& image);

}  // namespace thaw

#pragma GCC visibility pop
