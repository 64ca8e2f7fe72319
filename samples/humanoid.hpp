// A walking figure of Forgelight: its skeleton, which the character's mesh shares, and its animations.
#pragma once

#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include <string_view>
#include <vector>

namespace thaw::samples {

/// A bone of the figure where it is in bind pose: metres, Y up, facing +Z, its left side towards +X.
struct HumanBone {
  std::string_view name;
  std::int32_t parent = -1;
  Vec3 position{};
  double lean = 0;  ///< degrees about +Z that its axes are turned by
};

/// Bone 0 places the character in the world, bone 1 carries the skeleton's name.
const std::vector<HumanBone>& human_bones();
inline constexpr std::string_view kHumanSkeleton = "Human";

/// The same, each in the space of its parent.
std::vector<mrn::Bone> human_skeleton();

/// The axes of a bone in the character's space, x y z w.
Vec4 human_rotation(std::size_t bone);

/// The skeleton, a map of the whole body and one of the upper body, five animations, two event tracks.
mrn::Document human_network();

/// The walk as a file of its own.
nsa::Document human_walk();

}  // namespace thaw::samples
