// Deviation of the vertices of a scene from those of what was made of it.
#pragma once

#include "scene/math.hpp"

#include <thaw/control.hpp>

#include <span>
#include <vector>

namespace thaw::scene {

/// A mesh of a scene that was made, and the vertices of the other scene that its vertices are.
struct ConvertedMesh {
  Index source = kNone;
  std::vector<std::uint32_t> vertices;
};

/// The largest distance, in metres, between a vertex and what was made of it while clips play, or at rest if
/// there are none: at both ends of each clip and between them, the more often the fewer vertices there are.
/// `meshes` are by mesh of `result`, whose clips are those of `source` that are not global, in their order.
double largest_deviation(const Scene& source, const Scene& result, std::span<const ConvertedMesh> meshes,
                         const Control* control = nullptr);

/// The same of formats that hold vertices in an order of their own and no clips: the largest distance of a
/// vertex that a triangle of `result` uses, at rest, from the nearest of `source`.
double nearest_deviation(const Scene& source, const Scene& result, const Control* control = nullptr);

/// The largest distance of vertices, some of large meshes, between two places of all nodes.
double placed_deviation(const Scene& scene, const std::vector<Mat4d>& here, const std::vector<Mat4d>& there);

}  // namespace thaw::scene
