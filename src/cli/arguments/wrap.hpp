// Text in lines of the terminal's width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thaw::cli {

/// Appends the rest of a line that is `at` characters long, broken after blanks and bars; further lines begin
/// at `indent`.
void append_wrapped(std::string& out, std::string_view text, std::size_t at, std::size_t indent);

/// Two columns from lines of `left<TAB>right`. What is longer than `width` in the left one has a line for
/// itself.
std::string columns(std::string_view lines, std::size_t width);

}  // namespace thaw::cli
