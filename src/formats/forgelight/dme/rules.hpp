// Rules of Forgelight's models, materials and actors.
#pragma once

#include <thaw/dme.hpp>
#include <thaw/xml.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::dme {

using ModelRule = Rule<DocumentSubject<Document>>;
using PaletteRule = Rule<DocumentSubject<dma::Document>>;
using XmlRule = Rule<DocumentSubject<xml::Document>>;

std::span<const ModelRule> model_rules();
/// Of materials in a file of their own; those in models are with the models.
std::span<const PaletteRule> palette_rules();
/// Of actors; other XML has no findings.
std::span<const XmlRule> actor_rules();

}  // namespace thaw::dme
