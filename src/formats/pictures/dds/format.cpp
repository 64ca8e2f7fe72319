#include <thaw/dds.hpp>

#include "formats/list.hpp"
#include "formats/pictures/picture.hpp"
#include "formats/pictures/texture_rules.hpp"

namespace thaw::dds {
namespace {

Facts facts_of(const Document& document) {
  return pictures::facts(document.width, document.height, level_count(document), document.alpha(),
                         document.encoding());
}

constexpr RuleBook kBook = document_book<Document, dds_rules>();
constexpr PictureOperations kPicture = {
    pictures::decode_file<Document, read>, [](std::uint32_t version) {
      constexpr std::uint32_t kReforged = 900;
      return std::string_view(version < kReforged ? "DDS, which only Reforged loads" : "");
    }};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "dds",
    .name = "DirectDraw surface (DDS)",
    .extensions = ".dds",
    .explanation = "this is a texture (DDS)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "DDS "); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .conversions = pictures::kConversions,
    .picture = &kPicture,
};

}  // namespace thaw::dds
