// Roles of meshes, and the effect of a node's transform on them, for formats that hold only some of it.
#pragma once

#include "bytes/text.hpp"
#include "scene/math.hpp"

#include <thaw/scene.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thaw::scene {

/// By the kind of the node, or by the name where a file came from an editor.
inline bool is_collision(const Scene& scene, const Mesh& mesh) {
  return ascii::begins_with(mesh.name, "collision") ||
         (mesh.node < scene.nodes.size() && scene.nodes[mesh.node].kind == NodeKind::collision);
}

/// A node's place among levels of detail.
struct LevelOfDetail {
  Index owner = kNone;    ///< the node whose `lods` are meant, its own or one's above; kNone without levels
  std::size_t level = 0;  ///< 0 is the finest
};

/// What is below a node has its level, unless it has levels of its own.
inline void inherit_levels(const Scene& scene, std::vector<LevelOfDetail>& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {  // parents stand before their children
    const Index parent = scene.nodes[i].parent;
    if (parent < i && (levels[parent].level > 0 || levels[i].owner == kNone)) {
      levels[i] = levels[parent];
    }
  }
}

/// By node.
inline std::vector<LevelOfDetail> levels_of_detail(const Scene& scene) {
  std::vector<LevelOfDetail> levels(scene.nodes.size());
  for (Index i = 0; i < levels.size(); ++i) {
    if (!scene.nodes[i].lods.empty() && levels[i].owner == kNone) {
      levels[i].owner = i;
    }
    for (std::size_t level = 0; level < scene.nodes[i].lods.size(); ++level) {
      if (const Index node = scene.nodes[i].lods[level]; node < levels.size()) {
        levels[node] = {i, level + 1};
      }
    }
  }
  inherit_levels(scene, levels);
  return levels;
}

/// "body_lod2", in any case, is level 2 of "body".
inline std::pair<std::string, std::size_t> level_in_name(const std::string& name) {
  constexpr std::string_view kMark = "_lod";
  const std::size_t at = name.size() - std::min(name.size(), kMark.size() + 1);
  const bool states = name.size() > kMark.size() && name.back() >= '0' && name.back() <= '9' &&
                      ascii::same(std::string_view(name).substr(at, kMark.size()), kMark);
  return states ? std::pair(name.substr(0, at), static_cast<std::size_t>(name.back() - '0'))
                : std::pair(name, std::size_t{0});
}

/// Whether nodes or names state coarser levels.
inline bool has_levels(const Scene& scene) {
  return std::any_of(scene.nodes.begin(), scene.nodes.end(),
                     [](const Node& node) { return !node.lods.empty(); }) ||
         std::any_of(scene.meshes.begin(), scene.meshes.end(),
                     [](const Mesh& mesh) { return level_in_name(mesh.name).second > 0; });
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
