#pragma once

#include <string_view>

namespace thaw::cli {

/// Whether somebody reads along.
bool stdout_is_terminal();
bool stderr_is_terminal();

/// Shows UTF-8 on what is a terminal, all of it or false.
bool write_terminal(std::string_view text, bool to_stderr);

}  // namespace thaw::cli
