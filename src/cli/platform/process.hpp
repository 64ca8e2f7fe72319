#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thaw {
class Control;
}

namespace thaw::cli {

/// The file of the command that runs; empty where that is unknown.
std::filesystem::path command_path();

/// Has the desktop show a page. The browser is not waited for, and an interrupt of the command leaves it
/// alone.
void open_browser(const std::string& url);

/// The program of that name in a folder of PATH, never in the one that one is in; empty if there is none.
std::filesystem::path find_program(const std::string& name);

/// Runs a program with these arguments, without input and output but for what it complains of, and waits for
/// it; ends it if `control` is stopped. Its exit status; none if it did not begin or did not end by itself.
std::optional<int> run_program(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments, const Control* control);

}  // namespace thaw::cli
