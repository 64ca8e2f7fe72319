// From argv to Settings.
#pragma once

#include "cli/arguments/commands.hpp"

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace thaw::cli {

/// What is wrong with a command line, and what may have been meant.
struct UsageError {
  std::string message;
  std::string hint;
};

/// The arguments after the command's name. A request for help comes before any complaint.
tl::expected<Settings, UsageError> parse_arguments(const CommandSpec& command,
                                                   const std::vector<std::string>& arguments);

/// "did you mean …?", or empty if nothing is near.
std::string suggest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace thaw::cli
