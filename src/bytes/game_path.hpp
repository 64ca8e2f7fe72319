// Paths of games, whose parts are separated by `/` or `\\`.
#pragma once

#include <thaw/bytes.hpp>

namespace thaw {

/// The name of the file: all behind the last separator.
constexpr std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

/// A dot at the beginning of a name begins no extension.
constexpr std::string_view without_extension(std::string_view path) {
  const std::size_t dot = last_part(path).rfind('.');
  return dot == std::string_view::npos || dot == 0
             ? path
             : path.substr(0, path.size() - last_part(path).size() + dot);
}

/// The last part without its extension, as UTF-8: a name for people.
inline std::string path_stem(std::string_view path) {
  const std::string_view file = last_part(path);
  return to_utf8(file.substr(0, file.find_last_of('.')));
}

}  // namespace thaw
