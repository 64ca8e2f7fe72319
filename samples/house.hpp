// A house of the alpha (WMO version 14): outside and inside as two groups with a portal between them, a pool,
// a lamp, vertex colours, a BSP tree, fog and two doodad sets.
#pragma once

#include "paint.hpp"

#include <thaw/wmo.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace thaw::samples {

/// X north, Y west, Z up, in yards; the door looks north.
wmo::Document house();

/// Its textures with the names that it gives them, below Textures.
std::vector<std::pair<std::string_view, Canvas>> house_textures();

}  // namespace thaw::samples
