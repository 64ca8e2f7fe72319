// What networks and their animations as files of their own have in common.
#pragma once

#include <thaw/mrn_scene.hpp>
#include <thaw/nsa.hpp>
#include <thaw/open_scene.hpp>

#include "formats/descriptor.hpp"

namespace thaw::mrn {

SceneOptions scene_options(const SceneRequest& request);

/// A clip of a scene as an animation for the network's skeleton. The second is what a file of it tells.
Result<std::pair<nsa::Document, SceneFile>> animation_from_scene(const SceneToWrite& order);

}  // namespace thaw::mrn
