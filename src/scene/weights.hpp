// Promised properties of the weights of a skinned mesh, restored where a file lacks them.
#pragma once

#include <thaw/scene.hpp>

#include <cstddef>

namespace thaw::scene {

/// Brings the mesh's joints below `joints` (at least one), and its weights to numbers that are not negative
/// and sum to 1. Influences that cannot be kept are dropped; a vertex that has none left follows joint 0.
/// Vertices that are as promised stay as they are, to the bit. Returns how many vertices lost an influence.
std::size_t settle_weights(Mesh& mesh, std::size_t joints);

/// Makes the weights of a mesh equal again that were written in parts of 255: of two bones 128 and 127. Does
/// nothing unless the weights of every vertex are equal but for that.
void equalise_weights(Mesh& mesh);

}  // namespace thaw::scene
