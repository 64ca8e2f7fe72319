// Collision meshes of scenes.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/scene.hpp>

#include <optional>

namespace thaw::mdx_alpha {

/// The mesh that a scene of such a model kept, else the triangles of all nodes that are called so
/// (docs/user/to-warcraft.md#for-artists), as they stand at rest. `units` of the game are a metre. None if
/// there are none, or, which is reported, more corners than its indices reach.
std::optional<CollisionMesh> collision_of(const scene::Scene& scene, double units, Diagnostics& diagnostics);

}  // namespace thaw::mdx_alpha
