// Parts shared by networks and by their animations as files of their own.
#pragma once

#include <thaw/load.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "formats/descriptor.hpp"
#include "formats/forgelight/mrn/built_network.hpp"

namespace thaw::mrn {

SceneOptions scene_options(const OpenSceneOptions& request);

FromSceneOptions from_scene_options(const WriteContext& context);
/// Adds the largest errors of the animations to the output's report.
void state_errors(const std::vector<EncodedAnimation>& encoded, const Diagnostics& findings, Outputs& file);
/// Errors: scene.no-clip.
Result<std::vector<const scene::Clip*>> requested_clips(const WriteContext& context);

}  // namespace thaw::mrn
