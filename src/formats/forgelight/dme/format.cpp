#include <thaw/dme.hpp>

#include "formats/forgelight/dme/rules.hpp"
#include "formats/forgelight/shared/facts.hpp"
#include "formats/list.hpp"
#include "open/parts.hpp"

namespace thaw::dme {
namespace {

void report(ByteView bytes, Identity& identity) { identity.version = stated_version(bytes); }

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::dme_scene(context, *any.get_if<Document>());
}

constexpr RuleBook kBook = document_book<Document, model_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "dme",
    .name = "Forgelight model (DME)",
    .extensions = ".dme",
    .explanation = "this is a model of the Forgelight engine (DME)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "DMOD"); },
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, forgelight::facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "models of Forgelight",
    .scene_options = "materials",
};

}  // namespace thaw::dme
