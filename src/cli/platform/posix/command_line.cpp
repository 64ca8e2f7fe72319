#include "cli/platform/command_line.hpp"

#include <algorithm>

namespace thaw::cli {

std::vector<std::string> begin_run(int argc, char** argv) { return {argv + std::min(argc, 1), argv + argc}; }

std::vector<std::string> expand_word(const std::string& word) { return {word}; }

std::string portable_path(std::string typed) { return typed; }

bool takes_dropped_files() { return false; }

}  // namespace thaw::cli
