// Where a skin puts a vertex.
#pragma once

#include "scene/pose.hpp"

namespace thaw::scene {

/// From the mesh to the scene, for a vertex of a sound skin; `world` are the matrices of all nodes.
Mat4d skinning_matrix(const Mesh& mesh, const Skin& skin, const std::vector<Mat4d>& world,
                      std::size_t vertex);

}  // namespace thaw::scene
