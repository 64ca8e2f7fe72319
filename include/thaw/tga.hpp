// Truevision TGA pictures as documents and as pictures. write(read(x)) == x for every file that reads.
//
// Sources: docs/formats/tga.md, and the Truevision TGA file format specification, version 2.0.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)

/// Truevision TGA pictures.
namespace thaw::tga {

/// How the pixels are stored; `_rle` in runs of equal ones.
enum class ImageType : std::uint8_t {
  none = 0,
  color_mapped = 1,
  true_color = 2,
  grey = 3,
  color_mapped_rle = 9,
  true_color_rle = 10,
  grey_rle = 11,
};

/// What a file of version 2 knows beyond its pixels.
struct Extension {
  static constexpr std::size_t kSize = 495;

  std::uint16_t size = kSize;
  FixedText<41> author;
  FixedText<324> comments;
  std::array<std::uint16_t, 6> date{};  ///< month, day, year, hour, minute, second
  FixedText<41> job;
  std::array<std::uint16_t, 3> job_time{};  ///< hours, minutes, seconds
  FixedText<41> software;
  std::uint16_t software_version = 0;  ///< times 100
  std::uint8_t software_letter = 0;
  std::uint32_t key_color = 0;                  ///< A R G B
  std::array<std::uint16_t, 2> pixel_aspect{};  ///< width, height
  std::array<std::uint16_t, 2> gamma{};         ///< numerator, denominator
  std::uint32_t color_correction_offset = 0;
  std::uint32_t postage_stamp_offset = 0;
  std::uint32_t scan_line_offset = 0;
  /// 0 no alpha, 1 and 2 undefined, 3 alpha, 4 premultiplied alpha.
  std::uint8_t attributes = 0;

  friend bool operator==(const Extension&, const Extension&) = default;
};

/// The last bytes of a file of version 2, by which it is known.
struct Footer {
  static constexpr std::size_t kSize = 26;

  std::uint32_t extension_offset = 0;
  std::uint32_t developer_offset = 0;
  FixedText<18> signature;

  friend bool operator==(const Footer&, const Footer&) = default;
};

/// A file. The fields are those of the file.
struct Document {
  static constexpr std::uint8_t kAlphaBits = 0x0F;  ///< of `descriptor`
  static constexpr std::uint8_t kRightToLeft = 0x10;
  static constexpr std::uint8_t kTopToBottom = 0x20;

  std::uint8_t color_map_type = 0;
  ImageType image_type = ImageType::none;
  std::uint16_t color_map_first = 0;
  std::uint16_t color_map_length = 0;
  std::uint8_t color_map_depth = 0;  ///< bits per entry
  std::uint16_t x_origin = 0;
  std::uint16_t y_origin = 0;
  std::uint16_t width = 0;
  std::uint16_t height = 0;
  std::uint8_t depth = 0;  ///< bits per pixel
  std::uint8_t descriptor = 0;
  Bytes id;
  Bytes color_map;
  Bytes pixels;  ///< as stored: run-length packets are not unpacked
  std::uint64_t extension_offset = 0;
  std::optional<Extension> extension;
  std::uint64_t footer_offset = 0;
  std::optional<Footer> footer;
  std::vector<Gap> gaps;  ///< all other bytes

  /// Whether the pixels are stored in runs.
  [[nodiscard]] bool is_run_length_coded() const { return (static_cast<std::uint8_t>(image_type) & 8U) != 0; }

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes can be a TGA file: they end with the footer of version 2, or, as older files have no
/// magic, every field of the header makes sense and its parts fit into the file.
bool is_tga(ByteView bytes);

/// Reads a file that `is_tga`; missing pixels are reported as read.truncated (with `options.strict` that is
/// the error). Other errors: format.unknown, read.count for a colour map that is cut off, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// A picture as games and editors take it: 24 bits a pixel, or 32 if one is not opaque; rows from the bottom,
/// no runs. Error: image.malformed for sides above 65,535.
Result<Document> encode(const Image& image);

/// TGA has one level.
std::size_t level_count(const Document& document);

/// Whether the alpha of 32-bit pixels counts is stated by the extension; else by the descriptor, except that
/// many writers state 0 bits there and store alpha nonetheless: it then counts unless it is 0 everywhere.
/// Errors: image.malformed, input.too-large.
Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::tga

#pragma GCC visibility pop
