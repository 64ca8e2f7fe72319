// Several models in one picture.
#pragma once

#include "cli/inputs/open_scene.hpp"

namespace thaw::cli {

/// From the left to the right as one sees them from in front, each in its usual clip, on one ground.
ShownScene side_by_side(std::vector<ShownScene> all);

}  // namespace thaw::cli
