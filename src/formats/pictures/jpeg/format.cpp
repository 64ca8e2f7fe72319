#include <thaw/image.hpp>

#include "formats/list.hpp"
#include "formats/pictures/picture.hpp"
#include "image/jpeg.hpp"

namespace thaw::jpeg {
namespace {

std::string_view encoding_of(const Frame& frame) {
  const bool grey = frame.components == 1;
  return frame.progressive ? (grey ? "progressive jpeg grey" : "progressive jpeg")
         : grey            ? "jpeg grey"
                           : "jpeg";
}

Facts facts_of(const Document& document) {
  const auto frame = frame_of(document);
  return frame ? pictures::facts(frame->width, frame->height, 1, 0, encoding_of(*frame))
               : pictures::facts(0, 0, 0, 0, "unknown");
}

// --- rules

using Subject = DocumentSubject<Document>;
using FileRule = Rule<Subject>;

void refused(const Subject& /*subject*/, Report& report) {
  report.add("", "a plain JPEG, which no game loads");
}

constexpr std::array kRules = {
    FileRule("jpeg.refused", {kWarning, kWarning, kInfo}, "image format not supported by any game",
             "Warcraft III loads JPEG inside BLP only. Convert it to .blp with `thaw convert`.", refused),
    FileRule("jpeg.components", {kSevere, kSevere, kError}, "number of JPEG components neither 1 nor 3",
             "Programs disagree on images with other numbers of components. Save it as RGB.",
             once<"segments">([](const Document& document) {
               const auto frame = frame_of(document);
               return frame && frame->components != 1 && frame->components != 3
                          ? say("the JPEG has ", frame->components, " components instead of 1 or 3")
                          : "";
             })),
    FileRule("jpeg.decode", {kSevere, kSevere, kError}, "image cannot be decoded",
             "The file is damaged, too large or of an unsupported kind. Export it again.",
             once([](const Subject& subject) {
               Diagnostics ignored;
               const auto image = decode_jpeg(write(subject.document), subject.options.read, ignored);
               return image ? "" : image.error().message;
             })),
};

std::span<const FileRule> rules() { return kRules; }

constexpr RuleBook kBook = document_book<Document, rules>();
constexpr PictureOperations kPicture = {decode_jpeg, [](std::uint32_t /*version*/) {
                                          return std::string_view("JPEG, which no version of the game loads");
                                        }};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "jpeg",
    .name = "JPEG image",
    .extensions = ".jpg .jpeg",
    .explanation = "this is a JPEG image, which the games do not load",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_jpeg(bytes), Evidence::magic); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .conversions = pictures::kConversions,
    .picture = &kPicture,
};

}  // namespace thaw::jpeg
