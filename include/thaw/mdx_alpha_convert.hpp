// Models of Warcraft III for World of Warcraft's alpha
// (docs/user/versions.md#to-the-alpha-of-world-of-warcraft).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_alpha.hpp>

#include <optional>

#pragma GCC visibility push(default)

namespace thaw::mdx_alpha {

/// The model of version 1300 that says the same as one of Warcraft III of version 800, as far as one can, in
/// the same axes and units: objects numbered in the order of the alpha, rotations packed, bones of vertices
/// listed, shapes as hit tests. Things collide with `collision`, without one with a box. What it cannot say
/// is reported as convert.* findings, and so are replaceable ids unless they are the alpha's (`own_ids`).
/// Damaged objects hold what could be read of them.
Document from_warcraft(const mdx::Document& model, Diagnostics& diagnostics = Diagnostics::unwanted(),
                       std::optional<CollisionMesh> collision = std::nullopt, bool own_ids = false);

}  // namespace thaw::mdx_alpha

#pragma GCC visibility pop
