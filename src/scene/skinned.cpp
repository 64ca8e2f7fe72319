#include "scene/skinned.hpp"

#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"

namespace thaw::scene {

Mat4d skinning_matrix(const Mesh& mesh, const Skin& skin, const std::vector<Mat4d>& world,
                      std::size_t vertex) {
  Mat4d matrix{};
  for (std::size_t i = vertex * mesh.influences; i < (vertex + 1) * mesh.influences; ++i) {
    const auto weight = double{mesh.weights[i]};
    if (weight == 0) {
      continue;
    }
    const std::uint16_t joint = mesh.joints[i];
    const Mat4d bone = multiply(world[skin.joints[joint]], widen(skin.inverse_bind[joint]));
    for (std::size_t e = 0; e < bone.size(); ++e) {
      matrix[e] += bone[e] * weight;
    }
  }
  return matrix;
}

RestMesh rest_mesh(const Scene& scene, const Mesh& mesh, const std::vector<Mat4d>& world) {
  const Skin* skin = mesh.influences > 0 ? sound_skin(scene, mesh) : nullptr;
  Mat4d place = skin == nullptr && mesh.node < world.size() ? world[mesh.node] : kIdentity;
  Mat4d directions = directions_of(place);
  const bool still = skin == nullptr && place == kIdentity;
  const Array<Vec3> computed =
      mesh.normals.size() == mesh.positions.size() ? Array<Vec3>() : smooth_normals(mesh);
  const Array<Vec3>& normals = computed.empty() ? mesh.normals : computed;
  RestMesh result;
  std::size_t mirrored = 0;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (skin != nullptr) {
      place = skinning_matrix(mesh, *skin, world, i);
      directions = directions_of(place);
      mirrored += mirrors(place) ? 1U : 0U;
    }
    const Vec3d position = widen(mesh.positions[i]);
    const Vec3d normal = widen(normals[i]);
    result.positions.push_back(still ? position : transform_point(place, position));
    result.normals.push_back(still ? normal : unit(transform_point(directions, normal), {0, 1, 0}));
  }
  result.inside_out = skin == nullptr ? mirrors(place) : mirrored * 2 > mesh.positions.size();
  return result;
}

}  // namespace thaw::scene
