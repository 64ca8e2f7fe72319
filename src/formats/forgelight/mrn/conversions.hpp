// Networks as graphs, for other programs to lay out.
#pragma once

#include "formats/conversion.hpp"

#include <array>

namespace thaw::mrn {

extern const std::array<Conversion, 3> kConversions;

}  // namespace thaw::mrn
