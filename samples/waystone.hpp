// A waystone for World of Warcraft (M3): a carved pillar with a glowing crystal, in two levels of detail,
// with bones, collision and two materials.
#pragma once

#include <thaw/m3.hpp>

#include "paint.hpp"

namespace thaw::samples {

inline constexpr std::array<std::uint32_t, 3> kMeshVersions = {2, 3, 4};

/// FileDataIDs of its textures, as listfile.csv names them.
inline constexpr std::int32_t kWaystoneStone = 900100;
inline constexpr std::int32_t kWaystoneCrystal = 900101;

m3::Document waystone(std::uint32_t mesh_version);
Canvas waystone_stone();
Canvas waystone_crystal();

}  // namespace thaw::samples
