// The arithmetic of quantised animations. Format page forgelight, §6.4 and §7.1.
#pragma once

#include <thaw/nsa.hpp>

#include "scene/math.hpp"

#include <cmath>

namespace thaw::nsa {

inline double finite(float value) { return std::isfinite(value) ? double{value} : 0.0; }

/// The integers of a packed translation: 11, 11 and 10 bits from the top.
constexpr std::array<std::uint32_t, 3> unpacked(std::uint32_t word) {
  return {word >> 21U, (word >> 10U) & 0x7FFU, word & 0x3FFU};
}
constexpr std::uint32_t packed(const std::array<std::uint32_t, 3>& integers) {
  return integers[0] << 21U | integers[1] << 10U | integers[2];
}

inline constexpr std::array<std::uint32_t, 3> kPackedMost = {0x7FF, 0x7FF, 0x3FF};
inline constexpr std::array<std::uint32_t, 3> kWordMost = {0xFFFF, 0xFFFF, 0xFFFF};
inline constexpr std::array<std::uint32_t, 3> kByteMost = {0xFF, 0xFF, 0xFF};

/// value = minimum + step · integer, in double.
struct Scale {
  std::array<double, 3> minimum{};
  std::array<double, 3> step{};

  Scale() = default;
  explicit Scale(const Factors& factors) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      minimum[axis] = finite(factors[0][axis]);
      step[axis] = finite(factors[1][axis]);
    }
  }
  template <class Integers>
  [[nodiscard]] std::array<double, 3> value(const Integers& integers) const {
    return {minimum[0] + step[0] * integers[0], minimum[1] + step[1] * integers[1],
            minimum[2] + step[2] * integers[2]};
  }
};

inline Vec3 narrowed(const std::array<double, 3>& v) {
  return {scene::to_float(v[0]), scene::to_float(v[1]), scene::to_float(v[2])};
}
inline Vec4 narrowed(const std::array<double, 4>& v) {
  return {scene::to_float(v[0]), scene::to_float(v[1]), scene::to_float(v[2]), scene::to_float(v[3])};
}

/// The quaternion of a modified Rodrigues vector.
inline std::array<double, 4> rotation_of(const std::array<double, 3>& r) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const double inverse = 1.0 / (1.0 + square);
  const double twice = 2.0 * inverse;
  return {twice * r[0], twice * r[1], twice * r[2], (1.0 - square) * inverse};
}

/// The quaternion of the same rotation that is nearer to `last`; of floats, since rounding may change the
/// side.
inline Vec4 on_side_of(const Vec4& last, const Vec4& next) {
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    cosine += double{last[i]} * double{next[i]};
  }
  return cosine < 0 ? Vec4{-next[0], -next[1], -next[2], -next[3]} : next;
}

/// Quaternions of one rotation: neighbours on the same side.
inline void keep_side(Array<Vec4>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    values[i] = on_side_of(values[i - 1], values[i]);
  }
}

/// First b, then a.
inline std::array<double, 4> rotation_product(const std::array<double, 4>& a,
                                              const std::array<double, 4>& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// The rotation from which a channel's residuals are counted.
inline std::array<double, 4> initial_rotation(const std::array<std::uint8_t, 3>& bytes) {
  return rotation_of({bytes[0] / 128.0 - 1.0, bytes[1] / 128.0 - 1.0, bytes[2] / 128.0 - 1.0});
}

}  // namespace thaw::nsa
