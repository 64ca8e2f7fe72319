// The arithmetic of quantised animations. See nsa.md#values.
#pragma once

#include <thaw/nsa.hpp>

#include "bytes/finite.hpp"
#include "scene/math.hpp"

#include <cmath>

namespace thaw::nsa {

inline double finite(float value) { return double{finite_or_zero(value)}; }

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

/// The quaternion of a modified Rodrigues vector.
inline std::array<double, 4> rotation_of(const std::array<double, 3>& r) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const double inverse = 1.0 / (1.0 + square);
  const double twice = 2.0 * inverse;
  return {twice * r[0], twice * r[1], twice * r[2], (1.0 - square) * inverse};
}

/// Quaternions of one rotation: neighbours on the same side.
inline void keep_side(Array<Vec4>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    values[i] = scene::on_side_of(values[i - 1], values[i]);
  }
}

/// The rotation from which a channel's residuals are counted.
inline std::array<double, 4> initial_rotation(const std::array<std::uint8_t, 3>& bytes) {
  return rotation_of({bytes[0] / 128.0 - 1.0, bytes[1] / 128.0 - 1.0, bytes[2] / 128.0 - 1.0});
}

}  // namespace thaw::nsa
