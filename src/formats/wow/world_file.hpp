// Parts shared by the files of a world: each begins with MVER and its version; terrain has heights.
#pragma once

#include "formats/descriptor.hpp"

namespace thaw {

inline void report_world_version(ByteView bytes, Identity& identity) {
  constexpr std::size_t kTagAndSize = 8;
  identity.version = version_at(bytes, kTagAndSize);
}

/// Tile by tile or together, as the command plans it.
inline constexpr Conversion kToHeightmap{"heightmap", {}, "maps to heightmaps"};

}  // namespace thaw
