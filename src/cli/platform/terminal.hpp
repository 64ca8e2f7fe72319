#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace thaw::cli {

/// Whether somebody reads along.
bool stdout_is_terminal();
bool stderr_is_terminal();
/// Columns of the terminal; none if stdout is none, or does not say.
std::optional<std::size_t> terminal_width();

/// Shows UTF-8 on what is a terminal, all of it or false.
bool write_terminal(std::string_view text, bool to_stderr);

}  // namespace thaw::cli
