// Normals and tangents where a file has none.
#pragma once

#include <thaw/scene.hpp>

namespace thaw::scene {

/// Per vertex the mean of its triangles' normals, weighed by their areas; up where there is none. Triangles
/// with indices beyond the positions are left out.
Array<Vec3> smooth_normals(const Mesh& mesh);

/// Per vertex the direction in which u of the first set grows, at right angles to its normal, and in w the
/// side to which v falls, as glTF has it. Empty without such a set; `normals` are as many as the positions.
Array<Vec4> tangents_by_uvs(const Mesh& mesh, const Array<Vec3>& normals);

}  // namespace thaw::scene
