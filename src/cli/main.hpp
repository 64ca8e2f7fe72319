// The command as a function: what main() calls, and the fuzz targets of commands.
#pragma once

#include <string>
#include <vector>

namespace thaw::cli {

/// Runs `thaw WORDS…`; the exit code.
int run_words(const std::vector<std::string>& words);

}  // namespace thaw::cli
