// Loops that run beside all clips, for those who can play one animation only.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/scene.hpp>

namespace thaw::scene {

/// Puts every global loop into every clip, again and again until the clip ends, but what the clip itself
/// moves; the loops go, except those on which events fire. Without any clip they stay. What would be more
/// keys than anybody can use stays a loop, too, and is reported.
void bake_loops(Scene& scene, Diagnostics& diagnostics);

}  // namespace thaw::scene
