// Matching of a file's animations to the clips of the scene that was written, after other programs renamed,
// copied and deleted some.
#pragma once

#include <thaw/scene.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace thaw::gltf {

/// Of a curve: programs that do not edit it leave it nearly as it was.
inline double fingerprint(std::size_t keys, std::span<const float> values) {
  auto sum = static_cast<double>(keys);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += std::abs(double{values[i]}) * static_cast<double>(1 + i % 7);
  }
  return sum;
}
inline double fingerprint(const scene::Curve& curve) {
  return fingerprint(curve.times.size(), {curve.values.data(), curve.values.size()});
}

/// An animation as it is recognised.
struct AnimationFacts {
  std::string name;
  Value stated;  ///< its extras.thaw, an object; editors keep it where it is a property of the animation
  std::function<double()> moves = {};  ///< sum of the fingerprints of what moves nodes
};

/// The clip that an animation is or is a copy of.
struct ClipClaim {
  static constexpr std::size_t kNew = std::numeric_limits<std::size_t>::max();
  std::size_t clip = kNew;
  bool copy = false;
};

/// For each animation the one of `clips` (extras.thaw.clips of the scene) that it is: by the number that it
/// states, else by its name, else by how it moves. Each clip is one animation at most; further ones that
/// state its number or move as it does are its copies.
std::vector<ClipClaim> recognise_clips(const Value::List& clips,
                                       const std::vector<AnimationFacts>& animations);

/// A clip that was written with what its animation states of itself: fields take the place of those that were
/// written; what is compared with them is the member `now`.
Value stated_clip(const Value& written, const Value& stated, bool copy);

}  // namespace thaw::gltf
