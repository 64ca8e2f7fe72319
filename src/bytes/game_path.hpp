// Paths of games, whose parts are separated by `/` or `\\`.
#pragma once

#include <thaw/bytes.hpp>

namespace thaw {

/// The last part without its extension, as UTF-8: a name for people.
inline std::string path_stem(std::string_view path) {
  const std::string_view file = path.substr(path.find_last_of("/\\") + 1);
  return to_utf8(file.substr(0, file.find_last_of('.')));
}

}  // namespace thaw
