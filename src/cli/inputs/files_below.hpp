// All files below a folder, whatever they are.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace thaw::cli {

struct FileBelow {
  std::string name;  ///< below the folder, with `/`
  std::filesystem::path path;
  std::uint64_t size = 0;
};

/// Sorted by name; `except` is left out. Links to folders are not followed. The error is input.unreadable:
/// one that cannot be listed is none that is left out.
Result<std::vector<FileBelow>> files_below(const std::filesystem::path& folder,
                                           const std::filesystem::path& except);

/// As `read_file`, with the path in front of an error's message.
Result<Bytes> read_named(const std::filesystem::path& path, const Limits& limits);

}  // namespace thaw::cli
