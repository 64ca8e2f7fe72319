// Folder where editors put what a map imports: such files come with the map alone.
#pragma once

#include "bytes/text.hpp"

#include <string_view>

namespace thaw::mdx {

inline bool in_map_folder(std::string_view path) {
  constexpr std::string_view kFolder = "war3mapImported\\";
  return ascii::same(path.substr(0, kFolder.size()), kFolder);
}

}  // namespace thaw::mdx
