#include "scene/normals.hpp"

#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::scene {

Array<Vec3> smooth_normals(const Mesh& mesh) {
  std::vector<Vec3d> sums(mesh.positions.size(), Vec3d{0, 0, 0});
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t* corners = mesh.indices.data() + i;
    if (std::max({corners[0], corners[1], corners[2]}) >= sums.size()) {
      continue;
    }
    const Vec3d a = widen(mesh.positions[corners[0]]);
    const Vec3d normal =
        cross(subtract(widen(mesh.positions[corners[1]]), a), subtract(widen(mesh.positions[corners[2]]), a));
    for (std::size_t corner = 0; corner < 3; ++corner) {
      sums[corners[corner]] = add(sums[corners[corner]], normal);
    }
  }
  Array<Vec3> normals(sums.size());
  std::transform(sums.begin(), sums.end(), normals.begin(), [](const Vec3d& sum) {
    constexpr double kShortest = 1e-30;
    const double size = length(sum);
    return size > kShortest && std::isfinite(size) ? narrow(scaled(sum, 1 / size)) : Vec3{0, 1, 0};
  });
  return normals;
}

}  // namespace thaw::scene
