// What networks and their animations as files of their own have in common.
#pragma once

#include <thaw/mrn_scene.hpp>
#include <thaw/open_scene.hpp>

namespace thaw::mrn {

SceneOptions scene_options(const SceneRequest& request);

}  // namespace thaw::mrn
