#include <thaw/materials.hpp>

#include "formats/forgelight/shared/facts.hpp"
#include "formats/forgelight/shared/xml_book.hpp"
#include "formats/list.hpp"

namespace thaw::materials {

const FormatDescriptor kFormat = {
    .id = "forgelight-materials",
    .name = "Forgelight material definitions (XML)",
    .extensions = ".xml",
    .explanation = "these are Forgelight material definitions",
    .strongest = Evidence::text,
    .recognise = [](ByteView bytes) { return if_found(is_materials(text_window(bytes)), Evidence::text); },
    .document = document_operations<xml::Document, xml::read>(),
    .facts = facts_of_any<xml::Document, forgelight::facts_of>,
    .rules = &forgelight::kXmlBook,
};

}  // namespace thaw::materials
