#include "formats/pictures/tga/document.hpp"

#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

namespace thaw::tga {
namespace {

constexpr std::string_view kSignature("TRUEVISION-XFILE.\0", 18);

std::size_t pixel_bytes(const Document& document) { return bytes_of_bits(document.depth); }

std::uint64_t pixel_count(const Document& document) {
  return std::uint64_t{document.width} * document.height;
}

/// Calls `visit(pixels)` for each whole run-length packet until it returns false. Returns the bytes passed.
template <class F>
std::size_t each_packet(const Document& document, ByteView bytes, F&& visit) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const bool run = (bytes[at] & 0x80U) != 0;
    const std::size_t count = (bytes[at] & 0x7FU) + std::size_t{1};
    const std::size_t size = 1 + (run ? 1 : count) * pixel_bytes(document);
    if (size > bytes.size() - at) {
      break;
    }
    at += size;
    if (!visit(count)) {
      break;
    }
  }
  return at;
}

/// Bytes of the packets that hold the picture's pixels.
std::size_t packets_size(const Document& document, ByteView rest) {
  std::uint64_t missing = pixel_count(document);
  if (missing == 0) {
    return 0;
  }
  return each_packet(document, rest, [&](std::size_t pixels) {
    missing -= std::min<std::uint64_t>(missing, pixels);
    return missing > 0;
  });
}

bool has_footer(ByteView file) {
  return file.size() >= kHeaderSize + Footer::kSize &&
         std::memcmp(file.data() + file.size() - kSignature.size(), kSignature.data(), kSignature.size()) ==
             0;
}

bool plausible_depth(std::uint8_t type, std::uint8_t depth) {
  switch (type & 7U) {
    case 1:
      return depth == 8 || depth == 16;
    case 2:
      return depth == 15 || depth == 16 || depth == 24 || depth == 32;
    default:
      return depth == 8 || depth == 16;
  }
}

bool plausible_color_map(std::uint8_t type, std::uint8_t image_type, std::uint8_t depth) {
  const bool depth_known = depth == 15 || depth == 16 || depth == 24 || depth == 32;
  if ((image_type & 7U) == 1) {
    return type == 1 && depth_known;
  }
  return type == 0 || (type == 1 && depth_known);
}

Error missing_pixels(const Document& document, std::uint64_t offset) {
  return {codes::kTruncated, offset, "pixels",
          "the file has " + counted(document.pixels.size(), "byte") + " of pixels, too few for " +
              std::to_string(document.width) + " × " + std::to_string(document.height) + " pixels"};
}

/// An extension area begins with its size, and only a footer at the end leads to it.
bool lacks_footer(const Document& document) {
  constexpr std::array<std::uint8_t, 2> kSize = {Extension::kSize & 0xFFU, Extension::kSize >> 8U};
  if (document.footer || document.gaps.empty()) {
    return false;
  }
  const ByteView rest = document.gaps.front().bytes;
  return std::equal(kSize.begin(), kSize.begin() + static_cast<int>(std::min(kSize.size(), rest.size())),
                    rest.begin());
}

}  // namespace

std::uint64_t stored_pixels(const Document& document) {
  const auto type = static_cast<std::uint8_t>(document.image_type);
  if (!plausible_depth(type, document.depth) ||
      !plausible_color_map(document.color_map_type, type, document.color_map_depth)) {
    return 0;
  }
  if (!document.is_run_length_coded()) {
    return document.pixels.size() / pixel_bytes(document);
  }
  std::uint64_t count = 0;
  each_packet(document, document.pixels, [&](std::size_t pixels) {
    count += pixels;
    return true;
  });
  return count;
}

std::size_t stored_pixel_size(const Document& document, ByteView rest) {
  if (document.is_run_length_coded()) {
    return packets_size(document, rest);
  }
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(pixel_count(document) * pixel_bytes(document), rest.size()));
}

void find_appendix(Document& document, ByteView file) {
  if (!has_footer(file)) {
    return;
  }
  const auto* end = file.data() + file.size();
  document.footer.emplace();
  document.footer_offset = file.size() - Footer::kSize;
  const auto offset = load_plain<std::uint32_t>(end - Footer::kSize);
  if (offset >= kHeaderSize && std::uint64_t{offset} + Extension::kSize <= document.footer_offset) {
    document.extension.emplace();
    document.extension_offset = offset;
  }
}

bool is_tga(ByteView bytes) {
  if (bytes.size() < kHeaderSize) {
    return false;
  }
  if (has_footer(bytes)) {
    return true;
  }
  const std::uint8_t type = bytes[2];
  const bool type_known = (type >= 1 && type <= 3) || (type >= 9 && type <= 11);
  if (!type_known || bytes[1] > 1 || !plausible_color_map(bytes[1], type, bytes[7]) ||
      !plausible_depth(type, bytes[16])) {
    return false;
  }
  const auto width = load_plain<std::uint16_t>(bytes.data() + 12);
  const auto height = load_plain<std::uint16_t>(bytes.data() + 14);
  const bool descriptor_clean = (bytes[17] & 0xC0U) == 0;
  const std::size_t map =
      bytes[1] == 1 ? load_plain<std::uint16_t>(bytes.data() + 5) * bytes_of_bits(bytes[7]) : 0;
  return width > 0 && height > 0 && descriptor_clean && kHeaderSize + bytes[0] + map < bytes.size();
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!is_tga(bytes)) {
    return fail(codes::kFormatUnknown, "not a TGA file", 0);
  }
  Document document;
  Reader<Context> reader(bytes, Context{bytes}, options, diagnostics);
  describe(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  Diagnostics found;
  if (stored_pixels(document) < pixel_count(document)) {
    found.add(missing_pixels(document, reader.here() - document.pixels.size()));
  }
  if (lacks_footer(document)) {
    found.add(codes::kTruncated,
              "the file ends before its footer, without which its extension area cannot be found",
              bytes.size(), "footer");
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

std::size_t level_count(const Document& /*document*/) { return 1; }

}  // namespace thaw::tga
