// Buildings as WoW Alpha has them, and as today's editors open them.
#pragma once

#include "formats/conversion.hpp"
#include "formats/descriptor.hpp"

#include <array>

namespace thaw::wmo {

extern const std::array<Conversion, 3> kConversions;
/// Scenes to buildings.
extern const SceneWriter kWriter;
inline constexpr std::array<std::uint32_t, 2> kWrittenVersions = {14, 17};

}  // namespace thaw::wmo
