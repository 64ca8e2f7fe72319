// Models and actors of the Forgelight engine on their way to a scene.
#pragma once

#include "cli/makers.hpp"

namespace thaw::cli {

/// Of a DME or an actor; none for other documents.
std::optional<Result<scene::Scene>> make_actor_scene(const Work& work, const AnyDocument& document);

}  // namespace thaw::cli
