#include "formats/warcraft/mdx/convert/levels.hpp"

#include <algorithm>

namespace thaw::mdx {

std::vector<std::int32_t> levels_of(const Document& document) {
  std::vector<std::int32_t> levels;
  for (const auto* geoset : document.all<Geosets>()) {
    if (geoset->lod > kAllLevels) {
      levels.push_back(geoset->lod);
    }
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

std::vector<bool> coarse_geosets(const Document& document) {
  const auto levels = levels_of(document);
  std::vector<bool> coarse;
  for (const auto* geoset : document.all<Geosets>()) {
    coarse.push_back(!levels.empty() && geoset->lod > levels.front());
  }
  return coarse;
}

}  // namespace thaw::mdx
