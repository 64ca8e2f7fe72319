// Levels of detail of models from version 900 on (mdx.md#levels-of-detail).
#pragma once

#include <thaw/mdx.hpp>

#include <vector>

namespace thaw::mdx {

/// Geoset::lod of a geoset that is shown at all levels.
inline constexpr std::int32_t kAllLevels = -1;

/// The levels that the geosets name, the finest first.
std::vector<std::int32_t> levels_of(const Document& document);

/// Of each geoset, whether a finer one is there.
std::vector<bool> coarse_geosets(const Document& document);

}  // namespace thaw::mdx
