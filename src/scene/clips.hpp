// Choice of clips.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/scene.hpp>

#include <string_view>

namespace thaw::scene {

/// Whether a model is made to be looked at in the face: its own name or that of its file ends in "portrait",
/// or it has clips named Portrait… and no Stand….
bool is_portrait(const Scene& scene, std::string_view file_name = {});

/// The clip that shows a model unless one is chosen: of portraits the Portrait with the plainest name, else
/// the Stand with the plainest name, else the first that loops, else the first; kNone without any. One in
/// which nothing is visible comes after all others. Global loops are none.
Index default_clip(const Scene& scene, std::string_view file_name = {});

/// Whether opacities and scales leave anything to be seen at a moment of a clip; null is the rest pose. True
/// of scenes that have nothing to see in any case.
bool shows_something(const Scene& scene, const Clip* clip, float time);

// Loops that run alongside all clips, for those who can play one animation only.

/// Puts every global loop into every clip, again and again until the clip ends, but what the clip itself
/// moves; the loops go, except those on which events fire. Without any clip they stay. What would be more
/// keys than anybody can use stays a loop, too, and is reported.
void bake_loops(Scene& scene, Diagnostics& diagnostics);

}  // namespace thaw::scene
