// JPEG files as lists of segments, so that they survive being read and written like any other format.
// Pictures are read by decode_texture (thaw/image.hpp); glTF has them, games do not take them.
//
// Source: ITU-T T.81, annex B.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)

/// JPEG files as lists of segments.
namespace thaw::jpeg {

/// A marker with what belongs to it.
struct Segment {
  std::uint8_t marker = 0;  ///< the byte behind 0xFF
  Bytes data;               ///< behind its length, for markers that have one
  Bytes scan;               ///< behind a start of scan: coded pixels, up to the next marker

  static constexpr std::size_t kMinSize = 2;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A file: its segments in order.
struct Document {
  std::vector<Segment> segments;  ///< to the end of the image, or to the first segment that is cut off
  std::vector<Gap> gaps;          ///< what lies behind them

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
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// The file's bytes.
Bytes write(const Document& document);

/// Shows every segment with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::jpeg

#pragma GCC visibility pop
