// Bones of a skeleton that follow nodes of a scene.
#pragma once

#include <thaw/mrn.hpp>

#include "scene/pose.hpp"

#include <string>
#include <utility>
#include <vector>

namespace thaw::mrn {

/// A skeleton, and what its bones follow.
struct Rig {
  std::vector<std::int32_t> parents;     ///< of each bone; −1 for roots
  std::vector<scene::Transform> bind;    ///< parent-local
  std::vector<std::string> names;        ///< UTF-8
  std::vector<scene::Index> nodes = {};  ///< of each bone; kNone: it stays in bind pose

  [[nodiscard]] std::size_t joined() const;
};
Rig rig_of(const Skeleton& skeleton, Diagnostics& diagnostics);

/// Joins bones to nodes of their names below `top`, without regard to case: bones before other nodes, of
/// equal ones the first. `renamed` are patterns and what they stand for (read_bone_map).
void join_by_name(const scene::Scene& scene, const std::vector<std::pair<std::string, std::string>>& renamed,
                  Rig& rig, scene::Index top = scene::kNone);

/// The bones of a rig over time, in the space of their parents. Lengths are those of the scene's own space,
/// whatever the nodes above are scaled by; scales are relative to the rest pose.
class BoneMotion {
 public:
  /// `clip` may be null: the rest pose. All must outlive it.
  BoneMotion(const scene::Scene& scene, const scene::Clip* clip, const Rig& rig);

  [[nodiscard]] std::vector<scene::Transform> pose(float time) const;
  /// The nodes whose channels move a bone against its parent.
  [[nodiscard]] const std::vector<scene::Index>& movers(std::size_t bone) const { return movers_[bone]; }

 private:
  /// Where a bone is, and how much larger than at rest.
  struct Frame {
    scene::Vec3d place{};
    scene::Vec4d turn{0, 0, 0, 1};
    scene::Vec3d growth{1, 1, 1};
  };

  void find_direct(const std::vector<scene::Vec3d>& rest_scales);
  void find_movers();
  [[nodiscard]] std::int32_t joined_above(std::size_t bone) const;
  [[nodiscard]] Frame frame_of(scene::Index node, const scene::Mat4d& world) const;
  [[nodiscard]] static scene::Transform local(const Frame& frame, const Frame& parent);
  [[nodiscard]] static Frame below(const Frame& parent, const scene::Transform& local);

  const scene::Scene& scene_;
  const Rig& rig_;
  scene::Poser poser_;
  std::vector<std::size_t> order_;  ///< of bones: parents before children
  std::vector<bool> direct_;        ///< the node's own transform is the bone's
  std::vector<scene::Vec3d> rest_scales_;
  std::vector<std::vector<scene::Index>> movers_;
  bool all_direct_ = true;
};

}  // namespace thaw::mrn
