// Blizzard's textures: BLP1 (Warcraft III) and BLP2 (World of Warcraft; a few maps contain it), as documents
// and as pictures. write(read(x)) == x for every file that reads.
//
// docs/formats/blp.md describes the format.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <vector>

#pragma GCC visibility push(default)

/// Blizzard's textures, BLP1 and BLP2.
namespace thaw::blp {

/// The two formats: BLP1 of Warcraft III, BLP2 of World of Warcraft.
enum class Variant : std::uint8_t { blp1, blp2 };

/// How the levels are stored, in the words of both variants.
enum class Content : std::uint8_t { jpeg, palette, dxt1, dxt3, dxt5, bgra, unknown };

/// Level data as it lies in the file. Levels may share their bytes or overlap ("fake mips"): each byte is
/// kept once, and Document::level_data finds the level in it.
struct Block {
  std::uint64_t offset = 0;
  Bytes data;

  friend bool operator==(const Block&, const Block&) = default;
};

/// A file. The fields are those of the file; offsets and sizes are not recalculated by the writer.
struct Document {
  static constexpr std::size_t kLevels = 16;

  Variant variant = Variant::blp1;
  std::uint32_t compression = 0;  ///< BLP1: 0 JPEG, 1 palette, others are JPEG. BLP2: 0 JPEG, else encoding
  std::uint32_t alpha_bits = 0;   ///< BLP1; palette 0, 1, 4, 8, JPEG 0 or 8
  std::uint8_t encoding = 0;      ///< BLP2: 1 palette, 2 DXT, 3 BGRA
  std::uint8_t alpha_depth = 0;   ///< BLP2: 0, 1, 4, 8
  std::uint8_t alpha_type = 0;    ///< BLP2: 0 DXT1, 1 DXT3, 7 DXT5, 8 palette
  std::uint8_t has_mips = 0;      ///< BLP2
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t extra = 0;        ///< BLP1; 3, 4 or 5, without meaning
  std::uint32_t has_mipmaps = 0;  ///< BLP1
  std::array<std::uint32_t, kLevels> offsets{};
  std::array<std::uint32_t, kLevels> sizes{};
  std::uint32_t jpeg_header_size = 0;          ///< as stated
  Bytes jpeg_header;                           ///< what all levels' streams begin with
  Array<std::array<std::uint8_t, 4>> palette;  ///< B G R x; ends where the first level begins
  std::vector<Block> blocks;                   ///< by offset
  std::vector<Gap> gaps;                       ///< all other bytes

  /// How the levels are stored, by the fields of the variant; `unknown` for what neither defines.
  [[nodiscard]] Content content() const;
  /// Bits of alpha per pixel that take part: 0 means opaque, whatever the data says.
  [[nodiscard]] unsigned alpha() const;
  /// The bytes of a level, cut at the end of the file; empty if it has none or lies outside.
  [[nodiscard]] ByteView level_data(std::size_t level) const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin as a BLP1 or BLP2 file does.
bool is_blp(ByteView bytes);

/// Reads a file whose header is complete. Levels outside the file are reported as read.offset and cost only
/// themselves; with `options.strict` the first of them is the error. Other errors: format.unknown without
/// the magic, read.truncated, input.too-large. Takes at most three times the input in memory.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// Levels that may be decoded: the entries that state a size, up to the one of 1 × 1 pixels.
std::size_t level_count(const Document& document);

/// Level 0 is the largest and has width × height pixels, each next one half of that. Errors:
/// image.malformed, image.unsupported (a combination that is not defined), input.too-large. A JPEG that
/// breaks off is decoded as far as it goes and reported as image.damaged.
Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::discarded());

/// A picture as a file that the games read: levels ascending, the full palette, a shared JPEG header of at
/// most 624 bytes; opaque pictures have no alpha. automatic takes a palette if that loses nothing, else JPEG
/// (BLP1), BC1 or with alpha BC3 (BLP2). A game reads levels of power-of-two sides best; others are written
/// as they are. Errors: image.unsupported for an encoding that the variant has not, image.malformed without
/// pixels.
Result<Document> encode(const Image& image, Variant variant, const EncodeOptions& options = {},
                        Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::blp

#pragma GCC visibility pop
