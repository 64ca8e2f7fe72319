// What `thaw info` tells of a building.
#pragma once

#include <thaw/format.hpp>

namespace thaw::wmo {

Facts facts_of(const Document& document);

}  // namespace thaw::wmo
