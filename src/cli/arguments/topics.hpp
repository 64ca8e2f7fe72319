// Topics of thaw help that are found in the pages: formats, and words that people type.
#pragma once

#include "cli/arguments/settings.hpp"

#include <string>
#include <string_view>

namespace thaw::cli {

/// `help format` lists the formats, `help format NAME` shows a format's page and the tables of its fields.
int show_format(const Settings& settings);

/// The pages for a word: those that docs/user/README.md names for it, then those that mention it most. Empty
/// if there are none.
std::string pages_about(std::string_view word);

}  // namespace thaw::cli
