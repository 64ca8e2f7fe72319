// Transforms of nodes as keys of the game, whose nodes have no rotation and scale at rest.
#pragma once

#include "formats/warcraft/mdx/scene/math.hpp"

namespace thaw::mdx {

/// The parent's turn and size at rest are taken out of the keys. Exact where a key turns or mirrors and
/// scales evenly, or along the axes of the model.
class NodeTerms {
 public:
  /// Where the parent and the node are while the game's keys say nothing, in the scene's space; `units` of
  /// the game in a metre, and the model's size in them.
  NodeTerms(const scene::Mat4d& above, const scene::Mat4d& reference, Axes axes, double units, double size);

  [[nodiscard]] Double4 translation(const Double4& v, bool offset) const;
  [[nodiscard]] Double4 rotation(const Double4& q, bool offset) const;
  [[nodiscard]] Double4 scale(const Double4& v) const;
  /// By how much the keys of a rotation and a scale miss what these do to the axes; 1 is the length of one.
  [[nodiscard]] double error(const Double4& rotation, const scene::Vec3d& scale) const;

 private:
  scene::Mat4d above_;
  scene::Mat4d from_reference_;  ///< from the scene's axes there to those of the node
  Axes axes_;
  double units_;
  double size_;
  bool mirrored_ = false;
  Double4 turn_{};
  Double4 rest_turn_{};
  Double4 scale_turn_{};
  scene::Vec3d rest_scale_{};
  scene::Vec3d rest_place_{};
};

}  // namespace thaw::mdx
