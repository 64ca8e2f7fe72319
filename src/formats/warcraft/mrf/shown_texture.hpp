// The one texture of a morph model converted from a scene.
#pragma once

#include <thaw/mrf.hpp>

namespace thaw::mrf {

/// That of the first faces that have one; none where the options or a scene that was a morph model say what
/// it is called in the game.
scene::Index shown_texture(const scene::Scene& scene, const FromSceneOptions& options);

/// How far vertices of the scene are, between two frames of the converted model, from between those of the
/// frames at most; in units of the game. In frames they are where the scene has them.
double largest_deviation(const scene::Scene& scene, const FromSceneOptions& options,
                         const Document& converted);

}  // namespace thaw::mrf
