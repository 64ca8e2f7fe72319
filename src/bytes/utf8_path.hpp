// Paths of names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace thaw {

/// The path of a name in UTF-8, on every system. (`std::filesystem::u8path` is deprecated, and libc++ says
/// so.)
inline std::filesystem::path utf8_path(std::string_view name) {
  return std::u8string(name.begin(), name.end());
}

}  // namespace thaw
