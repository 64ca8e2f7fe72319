// How bright a point is. Light is worked out per vertex, as the games of the time did.
#pragma once

#include "frame/pose.hpp"

#include <vector>

namespace thaw::frame {

class LightRig {
 public:
  LightRig(Lighting lighting, const Viewer& viewer);

  /// Whether every mesh is in the same light, which describe() can state.
  [[nodiscard]] bool is_the_same_for_all() const { return lighting_ != Lighting::scene; }

  /// A light of the scene; counts with Lighting::scene only.
  void add(const scene::Light& light, const WorldTransform& place);

  /// Factors of a surface's colour. `normal` has unit length.
  [[nodiscard]] Vec3 at(const Vec3& position, const Vec3& normal) const;

  /// For what is lit pixel by pixel.
  void describe(Illumination& into) const;

 private:
  Lighting lighting_;
  float most_ = 1;
  Vec3 ambient_{1, 1, 1};
  std::vector<Light> sources_;
};

}  // namespace thaw::frame
