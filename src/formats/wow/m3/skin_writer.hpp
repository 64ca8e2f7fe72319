// The bones of a scene as a model has them: one list for all meshes, without parents (m3.md#weights).
#pragma once

#include "formats/wow/m3/scene_parts.hpp"

#include <map>
#include <vector>

namespace thaw::m3 {

/// Gathers the bones of all skins, and which of them move the vertices.
class SkinWriter {
 public:
  /// `world` are the places of all nodes in the model's own space. Without a mesh that a skin moves there
  /// are no bones.
  SkinWriter(const scene::Scene& scene, const std::vector<scene::Mat4d>& world, float scale);

  [[nodiscard]] bool used() const { return !skins_.empty(); }
  /// Vertices of this mesh come next.
  void begin(const scene::Mesh& mesh);
  void add(std::size_t vertex);
  /// VWTS and VIBP.
  void add_chunks(Mesh& mesh) const;
  void report(Diagnostics& diagnostics) const;

 private:
  using Bone = std::uint32_t;
  struct Share {
    Bone bone = 0;
    double weight = 0;
  };

  Bone bone_of(scene::Index node, const scene::Mat4& inverse_bind, scene::Mat4d world);
  [[nodiscard]] Bone still_bone(scene::Index node);
  void store(std::vector<Share>& shares);

  const scene::Scene& scene_;
  double units_;
  std::map<scene::Index, std::vector<Bone>> skins_;  ///< bones by joint, of the skins that are used
  std::map<std::pair<scene::Index, scene::Mat4>, Bone> bones_;
  std::map<scene::Index, Bone> first_of_node_;
  std::vector<Vec4> poses_;  ///< four rows each
  // Of the mesh whose vertices are added.
  const scene::Mesh* mesh_ = nullptr;
  const std::vector<Bone>* joints_ = nullptr;
  Bone still_ = 0;

  Array<std::array<std::uint16_t, 4>> indices_;
  Array<std::array<std::uint8_t, 4>> weights_;
  std::size_t cut_ = 0;    ///< vertices with more than four bones
  std::size_t posed_ = 0;  ///< bones that stand elsewhere than where they were bound
};

}  // namespace thaw::m3
