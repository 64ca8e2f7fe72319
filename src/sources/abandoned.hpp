// What runs leave behind that were killed while they wrote.
#pragma once

#include <filesystem>
#include <vector>

namespace thaw {

/// The temporary files in a folder that no process has open, sorted. `write_file` and `open_output` make such
/// files, and remove them unless the process is killed.
std::vector<std::filesystem::path> abandoned_files(const std::filesystem::path& folder);

}  // namespace thaw
