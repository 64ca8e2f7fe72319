// PNG files as lists of chunks, so that they survive being read and written like any other format. Pictures
// are read by decode_png and written by encode_png (thaw/image.hpp).
//
// Source: Portable Network Graphics specification, third edition, chapter 5.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <vector>

#pragma GCC visibility push(default)

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
  std::vector<Gap> gaps;      ///< what lies behind them

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin with PNG's signature.
bool is_png(ByteView bytes);

/// Reads the chunks without looking into them; wrong checksums are reported as image.damaged, a file that
/// ends before IEND as read.truncated (with `options.strict` that is the error). Errors: format.unknown,
/// input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// The file's bytes. Checksums are not recalculated.
Bytes write(const Document& document);

/// Shows every chunk with its offset.
void inspect(const Document& document, Inspector& inspector);

/// PNG has one level.
std::size_t level_count(const Document& document);

/// As decode_png.
Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::png

#pragma GCC visibility pop
