// Facts about tracks, for rules and for mending.
#pragma once

#include <thaw/mdx.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace thaw::mdx::rules {

/// Tracks that the game evaluates as steps (warcraft3-rendering.md#playing-a-track).
inline bool is_visibility(FourCC tag) {
  constexpr std::array kTags = {FourCC{"KLAV"}, FourCC{"KATV"}, FourCC{"KPEV"},
                                FourCC{"KP2V"}, FourCC{"KRVS"}, FourCC{"KPPV"}};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

inline bool is_rotation(FourCC tag) { return tag == FourCC{"KGRT"} || tag == FourCC{"KTAR"}; }

inline float length_of(const Vec4& value) {
  return std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
}
/// A quaternion that nobody would take for a rounded unit one. Zero and NaN cannot be normalised and are
/// another matter.
inline bool is_off_unit(const Vec4& value) {
  constexpr float kTolerance = 0.01F;
  const float length = length_of(value);
  return std::isfinite(length) && length > 0 && std::abs(length - 1) > kTolerance;
}

/// std::bit_cast, which the library of browsers does not have.
template <class To, class From>
To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to{};
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// Do two keys hold the same value, tangents aside?
inline bool same_value(const Track& track, std::size_t a, std::size_t b) {
  const std::size_t stride = track.stride();
  for (unsigned i = 1; i <= track.components(); ++i) {
    // As numbers: -0 is 0. Bits of integers compare as well.
    const auto x = same_bits<float>(track.words[a * stride + i]);
    const auto y = same_bits<float>(track.words[b * stride + i]);
    if (track.words[a * stride + i] != track.words[b * stride + i] && !(x == y)) {
      return false;
    }
  }
  return true;
}

/// Largest difference between the components of two keys.
inline float difference(const Track& track, std::size_t a, std::size_t b) {
  const Vec4 x = track.value(a);
  const Vec4 y = track.value(b);
  float most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x.at(i) - y.at(i)));
  }
  return most;
}

/// True if tangents of a key do not bend the curve: of Hermite they are 0, of Bezier the key's own value.
inline bool is_flat(const Track& track, std::size_t key) {
  if (!track.has_tangents()) {
    return true;
  }
  // Rotations are controlled by quaternions in both cases.
  const bool absolute = track.interpolation == Interpolation::bezier || is_rotation(track.tag);
  const Vec4 base = absolute ? track.value(key) : Vec4{};
  return track.value(key, 1) == base && track.value(key, 2) == base;
}
inline bool is_flat(const Track& track) {
  for (std::size_t key = 0; key < track.size(); ++key) {
    if (!is_flat(track, key)) {
      return false;
    }
  }
  return true;
}

}  // namespace thaw::mdx::rules
