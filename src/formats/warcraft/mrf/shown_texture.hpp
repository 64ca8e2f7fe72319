// The one texture of a morph model that is made of a scene.
#pragma once

#include <thaw/mrf_scene.hpp>

namespace thaw::mrf {

/// That of the first faces that have one; none where the options or a scene that was a morph model say what
/// it is called in the game.
scene::Index shown_texture(const scene::Scene& scene, const FromSceneOptions& options);

}  // namespace thaw::mrf
