// Rules of what is written in XML.
#pragma once

#include "formats/forgelight/dme/rules.hpp"
#include "formats/rule_books.hpp"

namespace thaw::forgelight {

inline constexpr RuleBook kXmlBook = document_book<xml::Document, dme::actor_rules>();

}  // namespace thaw::forgelight
