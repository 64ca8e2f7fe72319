#pragma once

#include <filesystem>
#include <string>

namespace thaw::cli {

/// The file of the command that runs; empty where that cannot be told.
std::filesystem::path command_path();

/// Has the desktop show a page. The browser is not waited for, and an interrupt of the command leaves it
/// alone.
void open_browser(const std::string& url);

}  // namespace thaw::cli
