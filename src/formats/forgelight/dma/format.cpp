#include <thaw/dma.hpp>

#include "formats/forgelight/dme/rules.hpp"
#include "formats/forgelight/shared/facts.hpp"
#include "formats/list.hpp"

namespace thaw::dma {
namespace {

constexpr RuleBook kBook = document_book<Document, dme::palette_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "dma",
    .name = "Forgelight material list (DMA)",
    .extensions = ".dma",
    .explanation = "this is a Forgelight material list (DMA)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "DMAT"); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, forgelight::facts_of>,
    .rules = &kBook,
};

}  // namespace thaw::dma
