#include "formats/pictures/dds/document.hpp"

#include "bytes/number_text.hpp"
#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "formats/pictures/dds/pixel_format.hpp"
#include "image/pixels.hpp"

#include <limits>

namespace thaw::dds {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}
constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

bool is_volume(const Document& document) {
  return document.header10 ? document.header10->dimension == Header10::kTexture3D
                           : (document.caps2 & Document::kVolume) != 0;
}

std::uint64_t level_size(const Document& document, const Storage& storage, std::size_t level) {
  const std::uint32_t width = level_side(document.width, level);
  const std::uint32_t height = level_side(document.height, level);
  // Sizes that cannot be multiplied out lie after the end of any input anyway.
  if (std::uint64_t{width} * height > kMost / 64) {
    return kMost;
  }
  const std::uint64_t slices = is_volume(document) ? level_side(document.depth, level) : 1;
  return saturating_multiply(storage.slice_size(width, height), slices);
}

/// Pictures of full size: faces of a cube, elements of an array.
std::uint64_t surface_count(const Document& document) {
  if (document.header10) {
    const std::uint64_t faces = (document.header10->misc_flags & Header10::kTextureCube) != 0 ? 6 : 1;
    return std::max<std::uint64_t>(1, document.header10->array_size) * faces;
  }
  const auto faces = static_cast<unsigned>(std::popcount(document.caps2 & Document::kCubeFaces));
  return (document.caps2 & Document::kCubeMap) != 0 ? std::max(1U, faces) : 1;
}

}  // namespace

std::uint64_t stated_data_size(const Document& document) {
  const Storage storage = storage_of(document);
  std::uint64_t size = 0;
  for (std::size_t level = 0; level < level_count(document); ++level) {
    size = saturating_add(size, level_size(document, storage, level));
  }
  return saturating_multiply(size, surface_count(document));
}

ByteView Document::level_data(std::size_t level) const {
  if (level >= level_count(*this)) {
    return {};
  }
  const Storage storage = storage_of(*this);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < level; ++i) {
    begin = saturating_add(begin, level_size(*this, storage, i));
  }
  const std::uint64_t requested = storage.slice_size(level_side(width, level), level_side(height, level));
  if (begin > data.size() || requested > data.size() - begin) {
    return {};
  }
  return ByteView(data).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(requested));
}

std::string_view Document::encoding() const { return storage_of(*this).name; }

unsigned Document::alpha() const { return storage_of(*this).alpha_bits; }

bool is_dds(ByteView bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), kMagic.bytes.data(), kMagic.bytes.size()) == 0;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!is_dds(bytes)) {
    return fail(codes::kFormatUnknown, "a DDS file must begin with DDS and a blank", 0);
  }
  Document document;
  Reader<Context> reader(bytes, Context{}, options, diagnostics);
  describe(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  Diagnostics found;
  const std::uint64_t stated = stated_data_size(document);
  if (document.data.size() < stated) {
    found.add(codes::kTruncated,
              "the file states " + std::to_string(stated) + " bytes of pixels, but has " +
                  std::to_string(document.data.size()),
              reader.here() - document.data.size(), "data");
  }
  if (!document.gaps.empty()) {
    found.add(codes::kFileTail,
              counted(document.gaps.front().bytes.size(), "byte") + " after the pixels, preserved",
              document.gaps.front().offset, "gaps");
  }
  return judged(std::move(document), found, options, diagnostics);
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> visitor(inspector, Context{});
  describe(visitor, document);
}

std::size_t level_count(const Document& document) {
  // No chain goes below 1 × 1, whatever the header says.
  const std::uint32_t depth = is_volume(document) ? document.depth : 1;
  const std::size_t longest = chain_length(std::max(document.width, depth), document.height);
  return std::min<std::size_t>(std::max(1U, document.mip_count), longest);
}

}  // namespace thaw::dds
