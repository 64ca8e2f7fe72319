// How a scene is turned against another of the same model.
#pragma once

#include <thaw/scene.hpp>

#include <optional>

namespace thaw::scene {

/// By how many quarters of a turn about Y, from X to −Z, the vertices of `model` lie where most of those of
/// `turned` are, at rest: 0 to 3. None where less than half do, or two turns fit alike.
std::optional<unsigned> quarter_turns(const Scene& model, const Scene& turned);

}  // namespace thaw::scene
