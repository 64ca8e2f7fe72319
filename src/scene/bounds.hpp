// The box around points, and their greatest distance from the origin.
#pragma once

#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::scene {

class BoundsOfPoints {
 public:
  void add(const Vec3& point) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& low = bounds_.minimum[axis];
      float& high = bounds_.maximum[axis];
      low = any_ ? std::min(low, point[axis]) : point[axis];
      high = any_ ? std::max(high, point[axis]) : point[axis];
      square += double{point[axis]} * double{point[axis]};
    }
    any_ = true;
    longest_ = std::max(longest_, square);
  }

  /// All zero without points.
  [[nodiscard]] Bounds bounds() const {
    Bounds result = bounds_;
    result.radius = to_float(std::sqrt(longest_));
    return result;
  }

 private:
  Bounds bounds_;
  double longest_ = 0;  ///< squared
  bool any_ = false;
};

/// Of all vertices, where they stand without their nodes' transforms.
inline Bounds bounds_of_meshes(const Scene& scene) {
  BoundsOfPoints bounds;
  for (const auto& mesh : scene.meshes) {
    std::for_each(mesh.positions.begin(), mesh.positions.end(),
                  [&](const Vec3& point) { bounds.add(point); });
  }
  return bounds.bounds();
}

}  // namespace thaw::scene
