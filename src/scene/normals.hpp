// Normals where a file has none.
#pragma once

#include <thaw/scene.hpp>

namespace thaw::scene {

/// Per vertex the mean of its triangles' normals, weighed by their areas; up where there is none. Triangles
/// with indices beyond the positions are left out.
Array<Vec3> smooth_normals(const Mesh& mesh);

}  // namespace thaw::scene
