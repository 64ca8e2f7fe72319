// Effects of options on commands and formats, as data: whoever refuses those that have none reads it.
#pragma once

#include <thaw/format.hpp>

#include <string>
#include <string_view>

namespace thaw::cli {

/// Names, with blanks between them, of the options of `convert` that have an effect where a file of the
/// format becomes a target (a word of --to); of `render` and `thumb`, that of the scene, which is the one for
/// "glb". Options about the run and not about what is made are not among them.
std::string options_for(Format from, std::string_view target);

/// The same of `edit`; empty for formats that it does not take.
std::string options_for_edits(Format format);

}  // namespace thaw::cli
