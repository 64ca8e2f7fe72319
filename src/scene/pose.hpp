// Positions of the nodes of a scene while a clip plays.
#pragma once

#include "scene/curve.hpp"
#include "scene/math.hpp"

#include <memory>
#include <vector>

namespace thaw::scene {

/// World matrix with the rotation and scale that it is made of: what a child with a flag takes from it.
struct WorldTransform {
  Mat4d world = kIdentity;
  Vec4d rotation{0, 0, 0, 1};
  Vec3d scale{1, 1, 1};
};

/// Places nodes for one clip. Inherit flags follow warcraft3-rendering.md#nodes:
/// - without inherit_translation the way that the parent has moved from its rest place is taken back,
/// - without inherit_rotation the product of the ancestors' rotations is,
/// - without inherit_scale the product of their scales is.
/// What a topmost node of kind root does is inherited in any case: it places the whole model.
/// Billboards and camera anchors depend on a camera and are ignored. Broken parents count as none.
class Poser {
 public:
  /// `clip` may be null: the rest pose. Both must outlive the poser.
  Poser(const Scene& scene, const Clip* clip);
  /// For another clip of the scene that `rest`, a poser of the rest pose, is about.
  Poser(const Poser& rest, const Clip& clip);

  /// Translation, rotation and scale as the clip says, without regard to flags.
  [[nodiscard]] Transform local(Index node, float time) const;
  [[nodiscard]] WorldTransform place(Index node, float time) const;
  /// All nodes at once.
  [[nodiscard]] std::vector<WorldTransform> places(float time) const;
  [[nodiscard]] std::vector<Mat4d> world_matrices(float time) const;
  /// The same, with the whole scene turned so that its front is that of `front`.
  [[nodiscard]] std::vector<Mat4d> world_matrices(float time, Axes front) const;
  /// True if the clip moves the node or one of its ancestors.
  [[nodiscard]] bool moves(Index node) const { return moves_[node]; }
  /// Curves that move the node or one of its ancestors.
  [[nodiscard]] std::vector<const Curve*> curves(Index node) const;

 private:
  struct Curves {
    const Curve* translation = nullptr;
    const Curve* rotation = nullptr;
    const Curve* scale = nullptr;
  };
  /// What all nodes have in common with the topmost one.
  struct Parentage {
    const WorldTransform* parent = nullptr;
    const WorldTransform* root = nullptr;
  };

  void play(const Clip& clip);
  void find_moving();
  [[nodiscard]] WorldTransform place(Index node, float time, const Parentage& above) const;
  [[nodiscard]] Index parent(Index node) const;

  const Scene& scene_;
  std::vector<Curves> curves_;
  std::vector<bool> moves_;
  std::shared_ptr<const std::vector<Vec3d>> rest_positions_;
};

/// The skin of a mesh; null for a mesh without one, and for one whose joints, matrices or weights do not fit.
const Skin* sound_skin(const Scene& scene, const Mesh& mesh);

}  // namespace thaw::scene
