// Buildings as the alpha has them, and as today's editors open them.
#pragma once

#include "formats/conversion.hpp"

#include <array>

namespace thaw::wmo {

extern const std::array<Conversion, 2> kConversions;

}  // namespace thaw::wmo
