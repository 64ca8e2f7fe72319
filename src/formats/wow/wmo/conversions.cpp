#include "formats/wow/wmo/conversions.hpp"

#include <thaw/sources.hpp>
#include <thaw/wmo_convert.hpp>
#include <thaw/wmo_scene.hpp>

#include "bytes/words.hpp"
#include "open/parts.hpp"

namespace thaw::wmo {
namespace {

open::GroupDocuments groups_of(const Document& root, const FileToConvert& file) {
  return open::load_groups(root, file.path, file.sources(), file.read, file.findings);
}

std::string note_of(std::string_view version, std::size_t groups) {
  return "version " + std::string(version) + " · " + counted(groups, "group");
}

Result<ConvertedFiles> make_alpha(const FileToConvert& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() == kAlphaVersion) {
    return fail(codes::kFormatUnsupported, "the building is of version 14 already");
  }
  const auto groups = groups_of(building, file);
  return to_alpha(building, open::pointers_to(groups), file.findings).map([&](const Document& alpha) {
    ConvertedFiles made;
    made.files.emplace_back(file.file_name, write(alpha));
    made.note = note_of("14", alpha.groups().size());
    return made;
  });
}

Result<ConvertedFiles> make_later(const FileToConvert& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() >= kLaterVersion) {
    return fail(codes::kFormatUnsupported, "the building is of version 17 already");
  }
  const auto groups = groups_of(building, file);
  return to_later(building, open::pointers_to(groups), file.findings).map([&](const SplitBuilding& split) {
    ConvertedFiles made;
    made.files.emplace_back(file.file_name, write(split.root));
    for (std::size_t i = 0; i < split.groups.size(); ++i) {
      made.files.emplace_back(group_file_name(file.file_name, i), write(split.groups[i]));
    }
    made.note = note_of("17", split.groups.size());
    return made;
  });
}

constexpr std::string_view kMade = "buildings to other versions";
constexpr std::string_view kOptions = "source no-default-sources";

}  // namespace

constexpr std::array<Conversion, 2> kConversions = {{
    {"wmo-v14", ".wmo", kMade, kOptions, false, make_alpha},
    {"wmo-v17", ".wmo", kMade, kOptions, true, make_later},
}};

}  // namespace thaw::wmo
