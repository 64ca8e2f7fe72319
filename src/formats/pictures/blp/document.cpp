#include "formats/pictures/blp/document.hpp"

#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "image/pixels.hpp"

#include <algorithm>

namespace thaw::blp {
namespace {

constexpr std::size_t kEntryBytes = 4;

/// Reports levels that lie outside the file or run past its end.
void check_levels(const Document& document, std::uint64_t file_size, Diagnostics& diagnostics) {
  const std::uint64_t table = document.variant == Variant::blp1 ? 28 : 20;
  for (std::size_t level = 0; level < Document::kLevels; ++level) {
    const std::uint64_t offset = document.offsets[level];
    const std::uint64_t size = document.sizes[level];
    if (size == 0 || offset + size <= file_size) {
      continue;
    }
    const bool outside = offset >= file_size;
    diagnostics.add(outside ? codes::kOffsetInvalid : codes::kTruncated,
                    "mip level " + std::to_string(level) + ", " + counted(size, "byte") + " at offset " +
                        std::to_string(offset) +
                        (outside ? ", is outside the file" : ", is truncated by the end of the file"),
                    table + level * sizeof(std::uint32_t), "offsets[" + std::to_string(level) + "]");
  }
}

void check_alpha(const Document& document, Diagnostics& diagnostics) {
  constexpr std::uint64_t kAlphaOffset = 8;
  const std::uint32_t stated = document.variant == Variant::blp1 ? document.alpha_bits : document.alpha_depth;
  const bool jpeg = document.content() == Content::jpeg;
  if (stated != 0 && stated != 8 && (jpeg || (stated != 1 && stated != 4))) {
    diagnostics.add(codes::kImageAlphaBits,
                    "an alpha depth of " + counted(stated, "bit") + " is not supported and is read as " +
                        std::to_string(document.alpha()),
                    document.variant == Variant::blp1 ? kAlphaOffset : kAlphaOffset + 1,
                    document.variant == Variant::blp1 ? "alphaBits" : "alphaDepth");
  }
}

void check_header(const Document& document, Diagnostics& diagnostics) {
  if (document.jpeg_header.size() < document.jpeg_header_size) {
    diagnostics.add(codes::kTruncated,
                    "the file states " + std::to_string(document.jpeg_header_size) +
                        " bytes of JPEG header, but has " + std::to_string(document.jpeg_header.size()),
                    document.variant == Variant::blp1 ? 156 : 148, "jpegHeaderSize");
  }
  if (document.content() == Content::palette && document.palette.size() < kPaletteEntries) {
    diagnostics.add(codes::kImageOddity,
                    "the pixels begin after " + std::to_string(document.palette.size()) +
                        " of 256 palette entries; the others are black",
                    {}, "palette");
  }
}

}  // namespace

std::size_t palette_entries(const Document& document, std::uint64_t palette_offset, std::size_t bytes_left) {
  std::uint64_t room = std::min<std::uint64_t>(bytes_left, kPaletteEntries * kEntryBytes);
  for (std::size_t level = 0; level < Document::kLevels; ++level) {
    const std::uint64_t offset = document.offsets[level];
    if (document.sizes[level] != 0 && offset >= palette_offset) {
      room = std::min(room, offset - palette_offset);
    }
  }
  return static_cast<std::size_t>(room / kEntryBytes);
}

std::vector<Extent> level_extents(const Document& document, std::uint64_t file_size) {
  std::vector<Extent> extents;
  for (std::size_t level = 0; level < Document::kLevels; ++level) {
    const std::uint64_t begin = document.offsets[level];
    const std::uint64_t end = std::min(file_size, begin + document.sizes[level]);
    if (begin < end) {
      extents.push_back({begin, end});
    }
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  std::vector<Extent> joined;
  for (const Extent& extent : extents) {
    if (joined.empty() || extent.begin >= joined.back().end) {
      joined.push_back(extent);
    } else {
      joined.back().end = std::max(joined.back().end, extent.end);
    }
  }
  return joined;
}

const char* block_name(const Document& document, std::uint64_t offset) {
  static constexpr std::array<const char*, Document::kLevels> kNames = {
      "level0", "level1", "level2",  "level3",  "level4",  "level5",  "level6",  "level7",
      "level8", "level9", "level10", "level11", "level12", "level13", "level14", "level15"};
  for (std::size_t level = 0; level < Document::kLevels; ++level) {
    if (document.offsets[level] == offset && document.sizes[level] != 0) {
      return kNames[level];
    }
  }
  return "levels";  // of a document whose offsets were edited
}

Content Document::content() const {
  if (variant == Variant::blp1) {
    return compression == 1 ? Content::palette : Content::jpeg;
  }
  if (compression == 0) {
    return Content::jpeg;
  }
  if (encoding == 1) {
    return Content::palette;
  }
  if (encoding == 2) {
    switch (alpha_type) {
      case 0:
        return Content::dxt1;
      case 1:
        return Content::dxt3;
      case 7:
        return Content::dxt5;
      default:
        return Content::unknown;
    }
  }
  return encoding == 3 ? Content::bgra : Content::unknown;
}

unsigned Document::alpha() const {
  const std::uint32_t stated = variant == Variant::blp1 ? alpha_bits : alpha_depth;
  if (stated == 0) {
    return 0;
  }
  switch (content()) {
    case Content::palette:
      return stated == 1 || stated == 4 || stated == 8 ? stated : 0;
    case Content::dxt1:
      return 1;
    case Content::dxt3:
      return 4;
    default:
      return 8;
  }
}

ByteView Document::level_data(std::size_t level) const {
  if (level >= kLevels || sizes[level] == 0) {
    return {};
  }
  const std::uint64_t begin = offsets[level];
  for (const Block& block : blocks) {
    if (begin >= block.offset && begin - block.offset < block.data.size()) {
      const ByteView rest = ByteView(block.data).subspan(static_cast<std::size_t>(begin - block.offset));
      return rest.first(std::min<std::size_t>(rest.size(), sizes[level]));
    }
  }
  return {};
}

bool is_blp(ByteView bytes) {
  constexpr std::size_t kMagicSize = 4;
  return bytes.size() >= kMagicSize && (std::memcmp(bytes.data(), "BLP1", kMagicSize) == 0 ||
                                        std::memcmp(bytes.data(), "BLP2", kMagicSize) == 0);
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  auto document =
      read_document<Document>(bytes, Context{bytes.size()}, options, diagnostics,
                              Recognition{is_blp(bytes), "a BLP file must begin with BLP1 or BLP2"},
                              [&](auto& reader, Document& picture) {
                                picture.variant = bytes[3] == '1' ? Variant::blp1 : Variant::blp2;
                                describe(reader, picture);
                              });
  if (!document) {
    return document;
  }
  Diagnostics found;
  check_alpha(*document, found);
  check_header(*document, found);
  check_levels(*document, bytes.size(), found);
  return judged(std::move(*document), found, options, diagnostics);
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> visitor(inspector, Context{});
  describe(visitor, document);
}

std::size_t level_count(const Document& document) {
  std::size_t count = std::min(Document::kLevels, chain_length(document.width, document.height));
  while (count > 0 && document.sizes[count - 1] == 0) {
    --count;
  }
  return count;
}

}  // namespace thaw::blp
