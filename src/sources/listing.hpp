// Listing of a folder.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace thaw {

/// The entries of a folder, in the file system's order; with an error, those before it. The standard
/// library's own iterator ends at 260 characters on Windows.
std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder,
                                                         std::error_code& error);

/// Whether a name begins with a dot, or on Windows has the attribute.
bool is_hidden(const std::filesystem::path& path);

/// Whether it is a symbolic link, or on Windows any other reparse point that leads elsewhere.
bool is_link(const std::filesystem::path& path, std::error_code& error);

}  // namespace thaw
