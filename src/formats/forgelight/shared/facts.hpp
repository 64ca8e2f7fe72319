// Facts of Forgelight's models, materials and actors for `thaw info`.
#pragma once

#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/format.hpp>
#include <thaw/xml.hpp>

namespace thaw::forgelight {

Facts facts_of(const dme::Document& document);
Facts facts_of(const dma::Document& document);
/// Of an actor or of definitions of materials.
Facts facts_of(const xml::Document& document);

}  // namespace thaw::forgelight
