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

Array<Vec4> tangents_by_uvs(const Mesh& mesh, const Array<Vec3>& normals) {
  const std::size_t count = mesh.positions.size();
  if (mesh.uv_sets.empty() || mesh.uv_sets[0].size() != count || normals.size() != count) {
    return {};
  }
  const auto& uv = mesh.uv_sets[0];
  std::vector<Vec3d> along(count);
  std::vector<Vec3d> across(count);
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t* corner = mesh.indices.data() + i;
    if (std::max({corner[0], corner[1], corner[2]}) >= count) {
      continue;
    }
    const Vec3d a = widen(mesh.positions[corner[0]]);
    const Vec3d one = subtract(widen(mesh.positions[corner[1]]), a);
    const Vec3d two = subtract(widen(mesh.positions[corner[2]]), a);
    const auto step = [&](std::size_t to, std::size_t axis) {
      return double{uv[corner[to]][axis]} - double{uv[corner[0]][axis]};
    };
    const double area = step(1, 0) * step(2, 1) - step(2, 0) * step(1, 1);
    if (area == 0 || !std::isfinite(area)) {
      continue;
    }
    const double side = area < 0 ? -1 : 1;
    const Vec3d u = scaled(subtract(scaled(one, step(2, 1)), scaled(two, step(1, 1))), side);
    const Vec3d v = scaled(subtract(scaled(two, step(1, 0)), scaled(one, step(2, 0))), side);
    for (std::size_t k = 0; k < 3; ++k) {
      along[corner[k]] = add(along[corner[k]], u);
      across[corner[k]] = add(across[corner[k]], v);
    }
  }
  Array<Vec4> tangents(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d normal = widen(normals[i]);
    const Vec3d flat = subtract(along[i], scaled(normal, dot(normal, along[i])));
    const Vec3 tangent = narrow(unit(flat, unit(perpendicular(normal), {1, 0, 0})));
    const bool down = dot(cross(normal, along[i]), across[i]) > 0;
    tangents[i] = {tangent[0], tangent[1], tangent[2], down ? -1.0F : 1.0F};
  }
  return tangents;
}

}  // namespace thaw::scene
