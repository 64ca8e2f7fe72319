// Turn of a scene against another of the same model, and turning it.
#pragma once

#include <thaw/scene.hpp>

#include "scene/math.hpp"

#include <optional>

namespace thaw::scene {

/// By how many quarters of a turn about Y, from X to −Z, the vertices of `model` lie where most of those of
/// `turned` are, at rest: 0 to 3. None where less than half do, or two turns fit alike.
std::optional<unsigned> quarter_turns(const Scene& model, const Scene& turned);

/// Turns the scene by a unit quaternion about the origin: its nodes without a parent, with their channels.
void turn(Scene& scene, const Vec4d& rotation);

}  // namespace thaw::scene
