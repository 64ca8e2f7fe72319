// What meshes are for, and what a node's transform does to them, for formats that hold only some of it.
#pragma once

#include "bytes/ascii.hpp"
#include "scene/math.hpp"

#include <thaw/scene.hpp>

#include <vector>

namespace thaw::scene {

/// Told by the node, or by the name where a file came from an editor.
inline bool is_collision(const Scene& scene, const Mesh& mesh) {
  return ascii::begins_with(mesh.name, "collision") ||
         (mesh.node < scene.nodes.size() && scene.nodes[mesh.node].kind == NodeKind::collision);
}

/// By node: is it a coarser level of detail of another, or below one that is?
inline std::vector<bool> coarser_nodes(const Scene& scene) {
  std::vector<bool> coarser(scene.nodes.size(), false);
  for (const Node& node : scene.nodes) {
    for (const Index level : node.lods) {
      if (level < coarser.size()) {
        coarser[level] = true;
      }
    }
  }
  for (std::size_t i = 0; i < coarser.size(); ++i) {  // parents stand before their children
    const Index parent = scene.nodes[i].parent;
    coarser[i] = coarser[i] || (parent < i && coarser[parent]);
  }
  return coarser;
}

/// What turns normals: the matrix of cofactors, which needs no inverse. Of a reflection, its opposite.
inline Mat4d directions_of(const Mat4d& m) {
  const Vec3d x{m[0], m[1], m[2]};
  const Vec3d y{m[4], m[5], m[6]};
  const Vec3d z{m[8], m[9], m[10]};
  const Vec3d yz = cross(y, z);
  const double side = dot(x, yz) < 0 ? -1 : 1;
  const Vec3d a = scaled(yz, side);
  const Vec3d b = scaled(cross(z, x), side);
  const Vec3d c = scaled(cross(x, y), side);
  return {a[0], a[1], a[2], 0, b[0], b[1], b[2], 0, c[0], c[1], c[2], 0, 0, 0, 0, 1};
}

/// Does it turn triangles inside out?
inline bool mirrors(const Mat4d& m) {
  return dot({m[0], m[1], m[2]}, cross({m[4], m[5], m[6]}, {m[8], m[9], m[10]})) < 0;
}

}  // namespace thaw::scene
