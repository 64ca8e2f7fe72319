#include <thaw/adr.hpp>

#include "formats/forgelight/adr/edit.hpp"
#include "formats/forgelight/shared/facts.hpp"
#include "formats/forgelight/shared/xml_book.hpp"
#include "formats/list.hpp"
#include "open/parts.hpp"

namespace thaw::adr {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::actor_scene(context, *any.get_if<xml::Document>());
}

}  // namespace

const FormatDescriptor kFormat = {
    .id = "adr",
    .name = "Forgelight actor (ADR)",
    .extensions = ".adr",
    .explanation = "this is a Forgelight actor (ADR)",
    .strongest = Evidence::text,
    .recognise = [](ByteView bytes) { return if_found(is_actor(text_window(bytes)), Evidence::text); },
    .document = document_operations<xml::Document, xml::read>(),
    .facts = facts_of_any<xml::Document, forgelight::facts_of>,
    .rules = &forgelight::kXmlBook,
    .edit = edit,
    .to_scene = open_scene,
    .models = "Forgelight actors",
    .holds_models = true,
};

}  // namespace thaw::adr
