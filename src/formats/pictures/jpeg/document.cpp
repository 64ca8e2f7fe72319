#include "formats/pictures/jpeg/document.hpp"

#include "bytes/number_text.hpp"
#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "image/jpeg.hpp"

namespace thaw::jpeg {
namespace {

/// SOF0 to SOF15 without the tables DHT, JPG and DAC that stand among them.
bool is_frame(std::uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

bool ended(const Document& document) {
  return !document.segments.empty() && document.segments.back().marker == kEnd;
}

}  // namespace

std::optional<Frame> frame_of(const Document& document) {
  constexpr std::size_t kHeader = 6;
  for (const Segment& segment : document.segments) {
    if (is_frame(segment.marker) && segment.data.size() >= kHeader) {
      const Bytes& data = segment.data;
      const auto number = [&](std::size_t at) { return data[at] * 256U + data[at + 1]; };
      // Odd rows of the table of frames' kinds are progressive, by two.
      return Frame{number(3), number(1), data[5], (segment.marker & 0x03U) == 2};
    }
  }
  return std::nullopt;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  auto document = read_document<Document>(bytes, Context{}, options, diagnostics,
                                          Recognition{is_jpeg(bytes), "not a JPEG file"},
                                          [](auto& reader, Document& picture) { describe(reader, picture); });
  if (!document) {
    return document;
  }
  if (!ended(*document)) {
    const std::uint64_t end = document->gaps.empty() ? bytes.size() : document->gaps.front().offset;
    if (options.strict) {
      return fail(codes::kTruncated, "the file ends before its end marker", end, "segments");
    }
    diagnostics.add(codes::kTruncated, "the file ends before its end marker", end, "segments");
  } else if (!document->gaps.empty()) {
    diagnostics.add(codes::kFileTail,
                    counted(document->gaps.front().bytes.size(), "byte") + " after the end marker, preserved",
                    document->gaps.front().offset, "gaps");
  }
  return document;
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> visitor(inspector, Context{});
  describe(visitor, document);
}

}  // namespace thaw::jpeg
