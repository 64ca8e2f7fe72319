#include "open/paths.hpp"

#include <thaw/sources.hpp>

namespace thaw::open {

std::string stem_of(std::string_view path) {
  const auto slash = path.find_last_of("/\\");
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto dot = name.find_last_of('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

std::string on_disk(std::string_view path) {
  std::string name = normalize_game_path(path);
  if (name.size() > 4 && name.compare(name.size() - 4, 4, ".mdl") == 0) {
    name.back() = 'x';
  }
  return name;
}

}  // namespace thaw::open
