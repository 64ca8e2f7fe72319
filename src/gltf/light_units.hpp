// From a game's light to physical units.
#pragma once

#include <thaw/scene.hpp>

namespace thaw::gltf {

/// One unit of the game's intensity lights a white surface fully: π lux. Directional lights give that
/// everywhere, points at the distance where the game begins to attenuate (candela = π · intensity · start²),
/// or at one metre if none is given.
float physical_intensity(const scene::Light& light, float intensity);

}  // namespace thaw::gltf
