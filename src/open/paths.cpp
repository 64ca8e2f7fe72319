#include "open/paths.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"

namespace thaw::open {

std::string stem_of(std::string_view path) { return std::string(without_extension(last_part(path))); }

std::string on_disk(std::string_view path) {
  std::string name = normalize_game_path(path);
  if (name.size() > 4 && name.compare(name.size() - 4, 4, ".mdl") == 0) {
    name.back() = 'x';
  }
  return name;
}

}  // namespace thaw::open
