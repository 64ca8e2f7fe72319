// Names of outputs that do not meet, on disks that do not tell cases apart either.
#pragma once

#include <thaw/sources.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace thaw::cli {

class DistinctNames {
 public:
  /// The path, or the first of path-2, path-3, … (before the extension) that was not given out yet.
  std::filesystem::path take(const std::filesystem::path& path) {
    std::filesystem::path result = path;
    for (unsigned number = 2; !taken_.insert(normalize_game_path(result.generic_string())).second; ++number) {
      result = path.parent_path() / path.stem();
      result += '-' + std::to_string(number) + path.extension().string();
    }
    return result;
  }

 private:
  std::set<std::string> taken_;
};

}  // namespace thaw::cli
