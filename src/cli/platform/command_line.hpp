// Begin of a run: what was typed, as UTF-8, and streams that carry bytes.
#pragma once

#include <string>
#include <vector>

namespace thaw::cli {

/// The words after the command's name. What comes and goes through the three streams is not changed from
/// here on.
std::vector<std::string> begin_run(int argc, char** argv);

/// The names that a pattern such as `units/*.mdx` stands for, sorted, where the shell leaves that to
/// commands: stars and question marks in the last part of a path. Otherwise, and for what fits nothing, the
/// word itself.
std::vector<std::string> expand_word(const std::string& word);

/// A path as it is written here, with `/` between its parts, however it was typed.
std::string portable_path(std::string typed);

/// Whether a file that is all of the command line was dropped on the command.
bool takes_dropped_files();

}  // namespace thaw::cli
