// From a source's axes (Z up) to the scene's (Y up) and back.
#pragma once

#include "scene/math.hpp"

namespace thaw::scene {

/// 0 − y instead of −y, so that no negative zeros arise.
template <class T>
T turned(T value) {
  return T{0} - value;
}

/// A direction or offset, or the vector part of a rotation.
template <class T>
std::array<T, 3> to_y_up(const std::array<T, 3>& v, Axes axes = Axes::x_right) {
  return axes == Axes::x_right ? std::array<T, 3>{v[0], v[2], turned(v[1])}
                               : std::array<T, 3>{v[1], v[2], v[0]};
}

/// Its inverse.
template <class T>
std::array<T, 3> to_z_up(const std::array<T, 3>& v, Axes axes = Axes::x_right) {
  return axes == Axes::x_right ? std::array<T, 3>{v[0], turned(v[2]), v[1]}
                               : std::array<T, 3>{v[2], v[0], v[1]};
}

/// Factors along the axes.
template <class T>
std::array<T, 3> to_y_up_scale(const std::array<T, 3>& v, Axes axes) {
  return axes == Axes::x_right ? std::array<T, 3>{v[0], v[2], v[1]} : std::array<T, 3>{v[1], v[2], v[0]};
}

/// What turns a scene whose front is that of `from` so that it is that of `to`: a quarter turn about the
/// vertical, exact.
constexpr Mat4d front_turned(Axes from, Axes to) {
  if (from == to) {
    return kIdentity;
  }
  const double quarter = to == Axes::x_front ? 1 : -1;  // +X becomes +Z
  return {0, 0, quarter, 0, 0, 1, 0, 0, -quarter, 0, 0, 0, 0, 0, 0, 1};
}

}  // namespace thaw::scene
