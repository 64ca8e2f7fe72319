// Words that people type because other tools have them (glTF-Transform, FFmpeg, ImageMagick, ExifTool,
// ripgrep), and what they are here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// The command that an alias stands for; any other word as it is.
std::string_view command_of_alias(std::string_view word);
/// All aliases, for suggestions.
std::vector<std::string_view> command_aliases();

/// What to type instead of a word of another tool in the place of a command, or empty.
std::string_view hint_for_command(std::string_view word);
/// The same for an option (with its dashes, without a value) of a command; told only where the command has
/// what is recommended.
std::string hint_for_option(std::string_view command, std::string_view option);

}  // namespace thaw::cli
