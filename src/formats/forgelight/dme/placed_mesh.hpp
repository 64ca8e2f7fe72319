// Meshes of a scene where they stand at rest, in the terms of a model: with bones by number.
#pragma once

#include <thaw/dme.hpp>
#include <thaw/scene.hpp>

#include "scene/math.hpp"

#include <vector>

namespace thaw::dme {

inline constexpr std::size_t kMostInfluences = 4;
inline constexpr std::size_t kMostUvSets = 3;

struct PlacedVertex {
  Vec3 position{};
  scene::Vec3d normal{};
  scene::Vec3d tangent{};  ///< at a right angle to the normal
  double side = 1;         ///< of the binormal
  std::array<Vec2, kMostUvSets> uvs{};
  Vec4 color{1, 1, 1, 1};
  std::array<std::uint8_t, kMostInfluences> weights{};  ///< of 255; they sum to it, the largest first
  std::array<std::uint16_t, kMostInfluences> bones{};   ///< of the model
};

/// Triangles of one material.
struct PlacedMesh {
  std::vector<PlacedVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< counter-clockwise from outside
  bool skinned = false;
  bool colored = false;
  std::size_t uv_sets = 0;
};

/// The bones that a scene's meshes follow. A model's bones are rigid: what scales nodes above them is in
/// the vertices.
class ModelBones {
 public:
  ModelBones(const scene::Scene& scene, Diagnostics& diagnostics);

  [[nodiscard]] std::size_t count() const { return nodes_.size(); }
  /// Influences beyond the fourth that were left out.
  [[nodiscard]] std::size_t cut() const { return cut_; }

  /// The parts of a mesh, in their order. A mesh below a joint follows that joint.
  [[nodiscard]] std::vector<PlacedMesh> placed(const scene::Mesh& mesh);

  /// Bind matrices, boxes and names.
  void describe(const std::vector<PlacedMesh>& meshes, Document& document) const;

 private:
  void set_weights(const scene::Mesh& mesh, const scene::Skin& skin, std::size_t vertex, PlacedVertex& to);

  const scene::Scene& scene_;
  std::vector<scene::Mat4d> world_;
  std::vector<scene::Index> nodes_;        ///< of each bone
  std::vector<std::uint16_t> bone_of_;     ///< of each node; kNoBone for others
  std::vector<std::uint16_t> bone_above_;  ///< the nearest bone at or above each node
  std::size_t cut_ = 0;
};

}  // namespace thaw::dme
