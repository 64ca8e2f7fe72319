#include "scene/skinned.hpp"

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

}  // namespace thaw::scene
