// Names of outputs that do not meet, on disks that ignore case either.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/sources.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace thaw::cli {

/// ".mdx", in lower case.
inline std::string extension_of(const std::filesystem::path& path) {
  return normalize_game_path(path.extension().generic_string());
}

/// Files with the same key meet on disks that ignore case.
inline std::string file_key(const std::filesystem::path& path) {
  return normalize_game_path(path.generic_string());
}

/// Outputs of conversions with the same key meet, a .gltf also in the files next to it.
inline std::string output_key(const std::filesystem::path& path) {
  std::string key = file_key(path);
  if (extension_of(path) != ".gltf") {
    return key;
  }
  const std::string stem = gltf_side_stem(path.stem().string());
  return normalize_game_path(path.parent_path().generic_string() + '/' + stem + ".gltf");
}

class DistinctNames {
 public:
  using Key = std::string (*)(const std::filesystem::path& path);
  explicit DistinctNames(Key key = file_key) : key_(key) {}

  /// The path, or the first of path-2, path-3, … (before the extension) that was not given out yet.
  std::filesystem::path take(const std::filesystem::path& path) {
    std::filesystem::path result = path;
    for (unsigned number = 2; !used_.insert(key_(result)).second; ++number) {
      result = path.parent_path() / path.stem();
      result += '-' + std::to_string(number) + path.extension().string();
    }
    return result;
  }

 private:
  Key key_;
  std::set<std::string> used_;
};

}  // namespace thaw::cli
