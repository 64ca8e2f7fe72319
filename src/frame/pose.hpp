// Where the nodes of a scene are for a viewer: scene/pose.hpp with billboards and camera anchors, at any
// moment and in any place.
#pragma once

#include "frame/player.hpp"
#include "scene/pose.hpp"

#include <vector>

namespace thaw::frame {

using scene::Vec3d;
using scene::Vec4d;
using scene::WorldTransform;

/// The viewer's axes in world space.
struct Viewer {
  Vec3d eye{};
  Vec3d right{1, 0, 0};
  Vec3d up{0, 1, 0};
  Vec3d back{0, 0, 1};  ///< from the target to the eye
};
Viewer viewer_of(const Camera& camera);

/// The rotation of a node that faces the viewer: the source's X towards him, its Z up
/// (warcraft3-rendering.md#nodes).
Vec4d facing(const Viewer& viewer, scene::Axes axes);

Vec3d rotated(const Vec4d& q, const Vec3d& v);

/// What does not depend on the moment.
class Skeleton {
 public:
  explicit Skeleton(const scene::Scene& scene);
  [[nodiscard]] const Vec3d& rest_position(Index node) const { return rest_positions_[node]; }
  /// The node and all above it.
  [[nodiscard]] std::size_t depth(Index node) const { return depths_[node]; }
  /// kNone for nodes at the top and for broken parents.
  [[nodiscard]] Index parent(Index node) const {
    const Index parent = scene_.nodes[node].parent;
    return parent < node ? parent : kNone;
  }
  [[nodiscard]] const scene::Scene& scene() const { return scene_; }

 private:
  const scene::Scene& scene_;
  std::vector<Vec3d> rest_positions_;
  std::vector<std::size_t> depths_;
};

class Pose {
 public:
  /// `instance` is where the scene as a whole stands. All must outlive the pose.
  Pose(const Skeleton& skeleton, const Player& player, const Viewer& viewer, const WorldTransform& instance)
      : skeleton_(skeleton),
        player_(player),
        viewer_(viewer),
        instance_(instance),
        facing_(facing(viewer, skeleton.scene().axes)) {
    find_moving();
  }

  [[nodiscard]] std::vector<WorldTransform> places(const Times& times) const;
  [[nodiscard]] WorldTransform place(Index node, const Times& times) const;
  /// True if the node or one of its ancestors moves in the clip.
  [[nodiscard]] bool moves(Index node) const { return moving_[node]; }

 private:
  struct Above {
    const WorldTransform* parent = nullptr;  ///< null for nodes at the top
    const WorldTransform* root = nullptr;    ///< the topmost node, if it places the whole model
  };
  void find_moving();
  [[nodiscard]] WorldTransform place(Index node, const Times& times, const Above& above) const;
  [[nodiscard]] Vec4d turned(Index node, const Vec4d& local, const Vec4d& above, Vec3d& scale) const;

  const Skeleton& skeleton_;
  const Player& player_;
  const Viewer& viewer_;
  const WorldTransform& instance_;
  Vec4d facing_;
  std::vector<bool> moving_;  ///< by node; empty if nothing asks for it
};

}  // namespace thaw::frame
