#include <thaw/sources.hpp>

#include "bytes/text.hpp"

namespace thaw {

std::string normalize_game_path(std::string_view name) {
  std::string path;
  std::string part;
  const auto finish_part = [&] {
    if (!part.empty() && part != "." && part != "..") {
      path += path.empty() ? part : "/" + part;
    }
    part.clear();
  };
  for (const char c : to_utf8(name)) {
    if (c == '/' || c == '\\') {
      finish_part();
    } else if (c != '\0') {
      part += ascii::lower(c);
    }
  }
  finish_part();
  return path;
}

std::string game_path_without_extension(std::string_view name) {
  std::string path = normalize_game_path(name);
  const auto dot = path.find_last_of('.');
  const auto slash = path.find_last_of('/');
  if (dot != std::string::npos && (slash == std::string::npos || dot > slash)) {
    path.resize(dot);
  }
  return path;
}

}  // namespace thaw
