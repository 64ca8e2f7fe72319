#include "formats/pictures/png/document.hpp"

#include "bytes/number_text.hpp"
#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

namespace thaw::png {
namespace {

bool holds_picture(const Chunk& chunk) {
  return chunk.type == FourCC{"IHDR"} || chunk.type == FourCC{"PLTE"} || chunk.type == FourCC{"IDAT"};
}

void check_chunks(const Document& document, Diagnostics& diagnostics) {
  std::uint64_t offset = kSignature.size();
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    const Chunk& chunk = document.chunks[i];
    if (checksum(chunk.type, chunk.data) != chunk.crc) {
      diagnostics.add(holds_picture(chunk) ? codes::kImageDamaged : codes::kImageOddity,
                      "the checksum of chunk " + chunk.type.text() + " is wrong; its content is used anyway",
                      offset, "chunks[" + std::to_string(i) + "].crc");
    }
    offset += Chunk::kMinSize + chunk.data.size();
  }
}

bool ended(const Document& document) {
  return !document.chunks.empty() && document.chunks.back().type == kEnd;
}

}  // namespace

bool is_png(ByteView bytes) {
  return bytes.size() >= kSignature.size() &&
         std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  auto document = read_document<Document>(
      bytes, Context{}, options, diagnostics, Recognition{is_png(bytes), "not a PNG file"},
      [&](auto& reader, Document& picture) { describe(reader, picture); });
  if (!document) {
    return document;
  }
  Diagnostics found;
  if (!ended(*document)) {
    found.add(codes::kTruncated, "the file ends before its IEND chunk", bytes.size(), "chunks");
  } else if (!document->gaps.empty()) {
    found.add(codes::kFileTail,
              counted(document->gaps.front().bytes.size(), "byte") + " after IEND, preserved",
              document->gaps.front().offset, "gaps");
  }
  check_chunks(*document, found);
  return judged(std::move(*document), found, options, diagnostics);
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> visitor(inspector, Context{});
  describe(visitor, document);
}

std::size_t level_count(const Document& /*document*/) { return 1; }

Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options,
                     Diagnostics& diagnostics) {
  if (level != 0) {
    return fail(codes::kImageMalformed,
                "level " + std::to_string(level) + " does not exist; a PNG file has one level");
  }
  return decode_pixels(write(document), options, diagnostics);
}

}  // namespace thaw::png
