// Options by what they are for.
#pragma once

#include "cli/arguments/commands.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace thaw::cli {

/// A heading and what stands below it.
using OptionGroup = std::pair<std::string_view, std::vector<const OptionSpec*>>;

/// The options of a command, each in one group, in the order of the headings and, below them, of the command.
std::vector<OptionGroup> grouped_options(const CommandSpec& command);

}  // namespace thaw::cli
