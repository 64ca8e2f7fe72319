#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include "formats/forgelight/nsa/description.hpp"

#include <libdeflate.h>
#include <algorithm>

namespace thaw::nsa {
namespace {

struct Context {};

template <class T>
T word(ByteView bytes, std::uint64_t at) {
  return load_plain<T>(bytes.data() + at);
}

}  // namespace

unsigned factor_records(ByteView file, std::uint64_t at) {
  const auto fits = [&](unsigned records) {
    const std::uint64_t size = static_size(Layout::v26, records);
    if (at > file.size() || size > file.size() - at) {
      return false;
    }
    const ByteView segment = file.subspan(static_cast<std::size_t>(at));
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const auto count = word<std::uint32_t>(segment, 4 * kind);
      const auto pointer = word<std::uint64_t>(segment, size - 8 * (kKinds - kind));
      const bool inside = pointer >= size && pointer <= segment.size() &&
                          std::uint64_t{count} * 6 <= segment.size() - pointer;
      if (count == 0 ? pointer != 0 && !inside : !inside) {
        return false;
      }
    }
    return true;
  };
  if (!fits(2)) {
    for (const unsigned records : {1U, 0U}) {
      if (fits(records)) {
        return records;
      }
    }
  }
  return 2;
}

std::uint64_t rotation_row(const DynamicSegment& segment) {
  constexpr std::uint64_t kUnexplained = 16;
  const std::uint64_t tight = 6 * std::uint64_t{segment.counts[kRotation]};
  const std::uint64_t usual = align_up(tight, 4);
  const auto [rows_at, infos_at] = segment.at[kRotation];
  if (infos_at <= rows_at) {
    return usual;
  }
  const std::uint64_t space = infos_at - rows_at;
  const std::uint64_t needed = product(segment.samples, usual);
  if (needed > space) {
    return product(segment.samples, tight) <= space ? tight : usual;
  }
  const std::uint64_t wide = align_up(tight, 8);
  return space - needed >= kUnexplained && product(segment.samples, wide) == space ? wide : usual;
}

float Document::duration() const { return layout == Layout::v26 ? header.duration : header_v24.duration; }
float Document::rate() const { return layout == Layout::v26 ? header.rate : header_v24.rate; }
std::uint32_t Document::channels() const {
  return layout == Layout::v26 ? header.channels : header_v24.channels;
}
std::uint32_t Document::samples() const {
  std::uint32_t most = 1;
  for (const DynamicSet& set : moving) {
    most = std::max(most, set.segment ? set.segment->samples : 0);
  }
  return most;
}

namespace {

/// Files are padded to the alignment that they state, if it is one of those known; one that ends elsewhere
/// has lost its end.
bool ends_inside_padding(const Document& animation, std::size_t size) {
  const std::uint32_t alignment =
      animation.layout == Layout::v24 ? animation.header_v24.alignment : animation.header.alignment;
  return (alignment == 4 || alignment == 16) && size % alignment != 0;
}

}  // namespace

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  auto document = read_document<Document>(
      bytes, Context{}, options, diagnostics, Recognition{}, [&](auto& reader, Document& animation) {
        animation.layout = layout_of(bytes).value_or(Layout::v26);
        describe(reader, animation);
        if (!reader.failed() && ends_inside_padding(animation, bytes.size())) {
          reader.note(codes::kTruncated, "gaps", "the file ends inside its padding; no data is missing");
        }
      });
  if (document && document->layout == Layout::v24) {
    diagnostics.add(
        codes::kUnproven,
        "the layout of animation version 24 is confirmed by no public file; please share the file", 0);
  }
  return document;
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, document);
}

std::uint32_t computed_crc(ByteView bytes) {
  const ByteView covered = bytes.subspan(std::min<std::size_t>(bytes.size(), 4));
  return libdeflate_crc32(0, covered.data(), covered.size());
}

std::uint32_t stated_crc(const Document& document) {
  const auto& crc = document.header.crc;
  return std::uint32_t{crc[0]} << 24U | std::uint32_t{crc[1]} << 16U | std::uint32_t{crc[2]} << 8U |
         std::uint32_t{crc[3]};
}

}  // namespace thaw::nsa
