// Parts shared by both conversions between skeletons and scenes.
#pragma once

#include <thaw/mrn.hpp>

namespace thaw::mrn {

/// UTF-8; "Bone N" without a name.
std::string bone_name(const Skeleton& skeleton, std::size_t bone);

/// Parent-local, finite, of unit length.
scene::Transform bind_transform(const Skeleton& skeleton, std::size_t bone);

/// Where the bones are in bind pose, in the scene's space.
std::vector<Vec3> joint_positions(const PlacedSkeleton& skeleton, const scene::Scene& scene);

/// As the public one, for each skeleton.
void add_bone_shapes(const std::vector<PlacedSkeleton>& skeletons, scene::Scene& scene);

/// The nodes below which a scene has each of several skeletons; empty for a scene with one.
std::vector<scene::Index> skeleton_tops(const scene::Scene& scene);
/// By node: whether it hangs below this one; all of them below kNone.
std::vector<bool> nodes_below(const scene::Scene& scene, scene::Index top);

}  // namespace thaw::mrn
