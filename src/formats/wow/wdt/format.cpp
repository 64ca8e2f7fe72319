#include <thaw/wdt.hpp>

#include "formats/list.hpp"
#include "formats/wow/terrain_facts.hpp"
#include "formats/wow/wdt/rules/table.hpp"
#include "formats/wow/world_file.hpp"
#include "open/parts.hpp"

namespace thaw::wdt {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::map_scene(context, *any.get_if<Document>());
}

constexpr std::array kConversions = {
    kToHeightmap,
    Conversion{"maps", {}, "maps to images of their layers"},
    Conversion{"minimap", {}, "maps to minimaps"},
    Conversion{"adt-lk", {}, "maps to later tiles"},
    Conversion{"wdt", ".wdt", "maps to one map"},
};

constexpr RuleBook kBook = document_book<Document, rules::map_rules, rules::tile_rules, rules::chunk_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "wdt",
    .name = "WoW Alpha map (WDT)",
    .extensions = ".wdt",
    .explanation = "this is a WoW Alpha map (WDT) with all its terrain",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_wdt(bytes), Evidence::magic); },
    .report = report_world_version,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, thaw::facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "maps",
    .conversions = kConversions,
    .holds_models = true,
    .map = true,
};

}  // namespace thaw::wdt
