// The tree that sorts a group's faces, for whoever makes a group (wmo.md#bsp-tree).
#pragma once

#include <thaw/wmo.hpp>

namespace thaw::wmo {

/// Adds MOBN and MOBR over all faces but details, where the order of chunks requires them, and the flag that
/// states it. Each face has three vertices of its own, as WoW Alpha has them. A leaf has the faces that reach
/// into its cell: from every point the tree leads to all faces that can be met there.
void add_bsp(Group& group);

/// The leaf that a point lies in, as a number in MOBN; −1 where there is none.
std::int32_t leaf_at(const std::vector<BspNode>& nodes, const Vec3& point);

}  // namespace thaw::wmo
