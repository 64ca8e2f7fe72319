// Conventions of artists, by names and by properties that they type.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/scene.hpp>

namespace thaw::mdx {

/// Makes attachments, events, collision shapes, flags, and properties of clips and materials of the names and
/// the `wc3_*` properties of a scene that does not say them otherwise.
void apply_conventions(scene::Scene& scene, Diagnostics& diagnostics);
/// The same for what was added to a scene that was made of a model: its nodes without `extras.thaw`.
void apply_conventions_to_new_nodes(scene::Scene& scene, Diagnostics& diagnostics);

/// Whether the mesh at a node is one that things collide with: it is called `Collision…` or has this
/// `wc3_kind`, and is no sphere.
bool names_collision_mesh(const scene::Node& node);

/// A switch that an artist typed: true, or a number that is not 0.
bool is_on(const Value& extras, const char* key);

}  // namespace thaw::mdx
