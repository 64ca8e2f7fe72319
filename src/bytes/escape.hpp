// Texts of strangers between texts of ours.
#pragma once

#include <string>
#include <string_view>

namespace thaw {

/// A text that came out of a file, or is a file's name, as a part of a line for people: UTF-8 in which what
/// would end the line, steer a terminal or turn the writing around is escaped (`\n`, `\x1b`, `\u202e`).
/// Backslashes stay as they are: game paths are full of them. JSON has escapes of its own and takes texts as
/// they are.
std::string shown(std::string_view text);

}  // namespace thaw
