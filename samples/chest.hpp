// A model of version 1100 for the physically based renderer: skin weights, tangents, four textures.
#pragma once

#include "paint.hpp"

#include <thaw/mdx.hpp>

namespace thaw::samples {

mdx::Document chest();

Canvas chest_diffuse();
Canvas chest_normal();
Canvas chest_orm();  ///< R occlusion, G roughness, B metal, A team colour
Canvas chest_emissive();
Canvas environment();  ///< a sky for what mirrors

}  // namespace thaw::samples
