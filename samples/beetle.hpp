// A creature as the alpha of World of Warcraft has them: two clips, a skin that the game replaces, sparks, a
// trail, a hit box and a collision mesh.
#pragma once

#include "paint.hpp"

#include <thaw/mdx_alpha.hpp>

namespace thaw::samples {

mdx_alpha::Document beetle();

Canvas beetle_skin();
Canvas beetle_glow();

/// BLP2, all mip levels: BC1, or with alpha BC3.
Bytes write_blp2(const Canvas& canvas, bool alpha);

}  // namespace thaw::samples
