// Message for failures of thaw itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// Keeps the command line for bug_message. Called once, first.
void remember_command_line(const std::vector<std::string>& words);

/// `subject`: the input or command that was worked on.
std::string bug_message(std::string_view subject, std::string_view what);

}  // namespace thaw::cli
