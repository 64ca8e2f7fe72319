#include <thaw/sources.hpp>

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
      part += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  finish_part();
  return path;
}

}  // namespace thaw
