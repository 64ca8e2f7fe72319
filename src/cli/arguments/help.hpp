#pragma once

#include "cli/arguments/commands.hpp"

#include <string>

namespace thaw::cli {

/// What `thaw --help` says.
std::string overview_text();
std::string command_text(const CommandSpec& command);
/// Its usage, examples, and the names of its options.
std::string brief_text(const CommandSpec& command);
std::string exit_codes_text();

/// All of the help as a manual page, for man(1).
std::string manual_text();

}  // namespace thaw::cli
