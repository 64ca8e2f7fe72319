#include <thaw/tga.hpp>

#include "formats/list.hpp"
#include "formats/pictures/picture.hpp"

namespace thaw::tga {
namespace {

bool has_magic_footer(ByteView bytes) {
  constexpr std::string_view kFooter("TRUEVISION-XFILE.\0", 18);
  constexpr std::size_t kLeast = 18 + 26;  // header and footer
  return bytes.size() >= kLeast &&
         std::memcmp(bytes.data() + bytes.size() - kFooter.size(), kFooter.data(), kFooter.size()) == 0;
}

/// TGA has no magic number: every field of the header has to make sense (tga.md#structure).
bool is_plausible(ByteView bytes) {
  constexpr std::size_t kHeader = 18;
  if (bytes.size() <= kHeader) {
    return false;
  }
  const unsigned map_type = bytes[1];
  const unsigned kind = bytes[2] & ~8U;  // bit 3: run-length coded
  const unsigned map_first = bytes[3] | static_cast<unsigned>(bytes[4]) << 8U;
  const unsigned map_length = bytes[5] | static_cast<unsigned>(bytes[6]) << 8U;
  const unsigned map_depth = bytes[7];
  const unsigned width = bytes[12] | static_cast<unsigned>(bytes[13]) << 8U;
  const unsigned height = bytes[14] | static_cast<unsigned>(bytes[15]) << 8U;
  const unsigned depth = bytes[16];
  const auto color_depth = [](unsigned bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; };
  const bool map = kind == 1 ? map_type == 1 && map_length > 0 && (map_length <= 256 || depth > 8) &&
                                   color_depth(map_depth)
                             : map_type == 0 && map_first == 0 && map_length == 0;
  const bool pixels = kind == 2 ? color_depth(depth) : depth == 8 || depth == 16;
  return bytes[2] <= 11 && kind >= 1 && kind <= 3 && map && pixels && width > 0 && height > 0 &&
         (bytes[17] & 0xC0U) == 0;
}

Evidence recognise(ByteView bytes) {
  return has_magic_footer(bytes) ? Evidence::footer : if_found(is_plausible(bytes), Evidence::plausible);
}

std::string_view encoding_name(ImageType type) {
  switch (type) {
    case ImageType::color_mapped:
      return "palette";
    case ImageType::true_color:
      return "bgr";
    case ImageType::grey:
      return "grey";
    case ImageType::color_mapped_rle:
      return "palette rle";
    case ImageType::true_color_rle:
      return "bgr rle";
    case ImageType::grey_rle:
      return "grey rle";
    default:
      return "none";
  }
}

Facts facts_of(const Document& document) {
  return pictures::facts(document.width, document.height, level_count(document),
                         document.descriptor & Document::kAlphaBits, encoding_name(document.image_type));
}

constexpr PictureOperations kPicture = {pictures::decode_file<Document, read>,
                                        [](std::uint32_t /*version*/) { return std::string_view(); }, is_tga};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "tga",
    .name = "Targa image (TGA)",
    .extensions = ".tga",
    .explanation = "this is an image (TGA)",
    .strongest = Evidence::footer,
    .recognise = recognise,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .conversions = pictures::kConversions,
    .picture = &kPicture,
};

}  // namespace thaw::tga
