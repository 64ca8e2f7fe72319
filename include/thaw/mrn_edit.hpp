// Edits of Forgelight's animation networks, as people ask for them (docs/user/edit.md).
#pragma once

#include <thaw/model_edit.hpp>
#include <thaw/mrn.hpp>

#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::mrn {

/// Renames animations that a pattern meets (see `renamed`): their takes, and their files where those are
/// called alike. The table of names is laid out anew. The error is edit.refused for a network that has no
/// such table.
Result<void> rename_animations(Document& document, std::string_view pattern, std::string_view name,
                               EditLog& log);

}  // namespace thaw::mrn

#pragma GCC visibility pop
