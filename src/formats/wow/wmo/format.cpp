#include <thaw/wmo.hpp>

#include "formats/list.hpp"
#include "formats/wow/wmo/conversions.hpp"
#include "formats/wow/wmo/edit.hpp"
#include "formats/wow/wmo/facts.hpp"
#include "formats/wow/wmo/rules.hpp"
#include "open/parts.hpp"

namespace thaw::wmo {
namespace {

Evidence recognise(ByteView bytes) { return if_found(part_of(bytes) != Part::none, Evidence::magic); }

void report(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionAt = 8;
  identity.version = version_at(bytes, kVersionAt);
  switch (part_of(bytes)) {
    case Part::whole:
      identity.dialect = "wow-alpha";
      break;
    case Part::group:
      identity.dialect = "group";
      identity.name = "World of Warcraft building part (WMO group)";
      identity.explanation =
          "this is a part of a World of Warcraft building (WMO group); its root has the name without the "
          "number";
      break;
    default:
      identity.dialect = "root";
      break;
  }
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::building_scene(context, *any.get_if<Document>());
}

constexpr RuleBook kBook = document_book<Document, root_rules, group_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "wmo",
    .name = "World of Warcraft building (WMO)",
    .extensions = ".wmo",
    .explanation = "this is a World of Warcraft building (WMO)",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .edit = edit,
    .to_scene = open_scene,
    .models = "buildings",
    .from_scene = &kWriter,
    .conversions = kConversions,
    .written_versions = kWrittenVersions,
    .holds_models = true,
};

}  // namespace thaw::wmo
