// Positions of nodes while the game's keys say nothing. A model of the game has no rest rotations and scales:
// there everything is as its pivots and vertices say, so these are those of the bind pose.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "bytes/number_text.hpp"
#include "scene/pose.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr double kAlike = 1e-4;

double unlike(const Mat4d& a, const Mat4d& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

bool regular(const Mat4d& m) {
  const double determinant =
      scene::dot(Vec3d{m[0], m[1], m[2]}, scene::cross({m[4], m[5], m[6]}, {m[8], m[9], m[10]}));
  return std::isfinite(determinant) && std::abs(determinant) > 1e-18;
}

/// A node that rests at no size at all is hidden; it has one where it is shown.
scene::Transform visible(scene::Transform rest) {
  constexpr float kNothing = 1e-6F;
  for (float& factor : rest.scale) {
    factor = std::abs(factor) < kNothing ? 1.0F : factor;
  }
  return rest;
}

/// Poses in which the skins were bound, where those are no rest pose.
std::vector<std::optional<Mat4d>> bind_poses(const ModelBuilder& builder) {
  std::vector<std::optional<Mat4d>> poses(builder.scene.nodes.size());
  if (builder.scene.clips.empty()) {
    return poses;  // what is seen then is the rest pose
  }
  for (const auto& mesh : builder.scene.meshes) {
    const scene::Skin* skin = scene::sound_skin(builder.scene, mesh);
    if (skin == nullptr) {
      continue;
    }
    std::vector<Mat4d> moved;
    for (std::size_t j = 0; j < skin->joints.size(); ++j) {
      moved.push_back(
          scene::multiply(builder.rest_world[skin->joints[j]], scene::widen(skin->inverse_bind[j])));
    }
    const bool at_rest = std::all_of(moved.begin(), moved.end(), [&](const Mat4d& matrix) {
      return unlike(matrix, moved.front()) <= kAlike;
    });
    for (std::size_t j = 0; !at_rest && j < moved.size(); ++j) {
      const Mat4d inverse_bind = scene::widen(skin->inverse_bind[j]);
      auto& pose = poses[skin->joints[j]];
      if (!pose && regular(inverse_bind) && regular(moved.front())) {
        pose = scene::multiply(moved.front(), scene::inverse(inverse_bind));
      }
    }
  }
  return poses;
}

void measure(ModelBuilder& builder) {
  Vec3d low{1e30, 1e30, 1e30};
  Vec3d high{-1e30, -1e30, -1e30};
  for (const auto& mesh : builder.scene.meshes) {
    for (const Vec3& position : mesh.positions) {
      for (std::size_t i = 0; i < 3; ++i) {
        low.at(i) = std::min(low.at(i), double{position.at(i)});
        high.at(i) = std::max(high.at(i), double{position.at(i)});
      }
    }
  }
  if (low[0] <= high[0]) {
    builder.size = std::clamp(scene::length(scene::subtract(high, low)) * builder.units, 1e-3, 1e9);
  }
}

}  // namespace

void find_references(ModelBuilder& builder) {
  const auto& nodes = builder.scene.nodes;
  builder.rest_world = scene::Poser(builder.scene, nullptr).world_matrices(0);
  const auto bound = bind_poses(builder);
  std::size_t other = 0;
  for (Index i = 0; i < nodes.size(); ++i) {
    const Mat4d above = nodes[i].parent < i ? builder.reference[nodes[i].parent] : scene::kIdentity;
    Mat4d reference = scene::multiply(above, scene::compose(visible(nodes[i].rest)));
    if (bound[i]) {
      other += unlike(*bound[i], reference) > kAlike ? 1U : 0U;
      reference = *bound[i];
    }
    builder.reference.push_back(regular(reference) ? reference : above);
  }
  if (other > 0) {
    builder.change("the bind pose of " + counted(other, "bone") +
                   " differs from the rest pose; without an animation the model shows the bind pose");
  }
  measure(builder);
}

}  // namespace thaw::mdx
