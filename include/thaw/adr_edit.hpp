// Edits of Forgelight's actors, as people ask for them (docs/user/edit.md).
#pragma once

#include <thaw/adr.hpp>
#include <thaw/model_edit.hpp>

#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::adr {

/// Changes the names of files that an actor is made of: models, materials, textures, the network, the body
/// for physics. Everything else of the text stays as it is. The error is xml.syntax.
Result<void> repath(xml::Document& document, std::string_view pattern, std::string_view path, EditLog& log);

}  // namespace thaw::adr

#pragma GCC visibility pop
