#include <thaw/blp.hpp>

#include "formats/list.hpp"
#include "formats/pictures/picture.hpp"
#include "formats/pictures/texture_rules.hpp"

namespace thaw::blp {
namespace {

std::string_view encoding_name(Content content) {
  switch (content) {
    case Content::jpeg:
      return "jpeg";
    case Content::palette:
      return "palette";
    case Content::dxt1:
      return "bc1";
    case Content::dxt3:
      return "bc2";
    case Content::dxt5:
      return "bc3";
    case Content::bgra:
      return "bgra";
    default:
      return "unknown";
  }
}

Facts facts_of(const Document& document) {
  return pictures::facts(document.width, document.height, level_count(document), document.alpha(),
                         encoding_name(document.content()));
}

constexpr RuleBook kBook = document_book<Document, blp_rules>();
constexpr PictureOperations kPicture1 = {pictures::decode_file<Document, read>,
                                         [](std::uint32_t /*version*/) { return std::string_view(); }};
constexpr PictureOperations kPicture2 = {
    pictures::decode_file<Document, read>,
    [](std::uint32_t /*version*/) { return std::string_view("BLP2, which only World of Warcraft loads"); }};

}  // namespace

const FormatDescriptor kBlp1 = {
    .id = "blp1",
    .name = "Warcraft III texture (BLP1)",
    .extensions = ".blp",
    .explanation = "this is a texture (BLP1)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "BLP1"); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .conversions = pictures::kConversions,
    .picture = &kPicture1,
};

const FormatDescriptor kBlp2 = {
    .id = "blp2",
    .name = "World of Warcraft texture (BLP2)",
    .extensions = ".blp",
    .explanation = "this is a texture (BLP2)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "BLP2"); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .conversions = pictures::kConversions,
    .picture = &kPicture2,
};

}  // namespace thaw::blp
