#include <thaw/wdl.hpp>
#include <thaw/world.hpp>

#include "formats/list.hpp"
#include "formats/wow/terrain_facts.hpp"
#include "formats/wow/wdt/rules/table.hpp"
#include "formats/wow/world_file.hpp"
#include "open/scene_context.hpp"

namespace thaw::wdl {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return world::to_scene(*any.get_if<Document>(), context.name(), context.scale(1));
}

constexpr std::array kConversions = {kToHeightmap};

constexpr RuleBook kBook = document_book<Document, wdt::rules::far_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "wdl",
    .name = "World of Warcraft far terrain (WDL)",
    .extensions = ".wdl",
    .explanation = "this is the far terrain of a World of Warcraft map (WDL)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_wdl(bytes), Evidence::magic); },
    .report = report_world_version,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, thaw::facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "far terrain",
    .conversions = kConversions,
    .holds_models = true,
    .map = true,
};

}  // namespace thaw::wdl
