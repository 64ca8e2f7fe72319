#include <thaw/image.hpp>

#include "formats/list.hpp"
#include "formats/pictures/picture.hpp"

namespace thaw::png {
namespace {

Facts facts_of(const Document& document) {
  constexpr std::size_t kHeader = 13;
  constexpr std::array<std::string_view, 7> kKinds = {"grey",       "unknown", "rgb", "palette",
                                                      "grey alpha", "unknown", "rgba"};
  if (document.chunks.empty() || document.chunks.front().data.size() < kHeader) {
    return pictures::facts(0, 0, 0, 0, "unknown");
  }
  const Bytes& header = document.chunks.front().data;
  const auto big_endian = [&](std::size_t at) {
    return std::uint32_t{header[at]} << 24U | std::uint32_t{header[at + 1]} << 16U |
           std::uint32_t{header[at + 2]} << 8U | std::uint32_t{header[at + 3]};
  };
  const unsigned depth = header[8];
  const std::size_t kind = header[9];
  const bool alpha = kind == 4 || kind == 6;
  return pictures::facts(big_endian(0), big_endian(4), level_count(document), alpha ? depth : 0,
                         kind < kKinds.size() ? kKinds.at(kind) : "unknown");
}

constexpr PictureOperations kPicture = {pictures::decode_file<Document, read>, [](std::uint32_t /*version*/) {
                                          return std::string_view("PNG, which no version of the game loads");
                                        }};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "png",
    .name = "PNG image",
    .extensions = ".png",
    .explanation = "this is an image (PNG)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_png(bytes), Evidence::magic); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .conversions = pictures::kConversions,
    .picture = &kPicture,
};

}  // namespace thaw::png
