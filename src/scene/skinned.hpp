// Positions of vertices by a skin.
#pragma once

#include "scene/math.hpp"
#include "scene/pose.hpp"

#include <vector>

namespace thaw::scene {

/// From the mesh to the scene, for a vertex of a sound skin; `world` are the matrices of all nodes.
Mat4d skinning_matrix(const Mesh& mesh, const Skin& skin, const std::vector<Mat4d>& world,
                      std::size_t vertex);

// Meshes where they are when nothing moves, for formats without joints.

/// The vertices of a mesh in the scene's space, with normals whether the mesh has any or not.
struct RestMesh {
  std::vector<Vec3d> positions;
  std::vector<Vec3d> normals;
  bool inside_out = false;  ///< a mirror turned the triangles
};

/// `world` are the matrices of all nodes. Of a skinned mesh the joints alone say where it is, its node does
/// not. What no transform touches keeps its last bit.
RestMesh rest_mesh(const Scene& scene, const Mesh& mesh, const std::vector<Mat4d>& world);

}  // namespace thaw::scene
