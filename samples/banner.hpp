// A banner in the wind: a morph model (MRF).
#pragma once

#include "paint.hpp"

#include <thaw/mrf.hpp>

namespace thaw::samples {

/// 1.5 s at 20 frames per second; the first and the last frame are the same.
mrf::Document banner();
/// Its texture, Textures\banner.blp.
Canvas banner_cloth();

}  // namespace thaw::samples
