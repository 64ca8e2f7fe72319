// What `thaw info` tells of M3 models.
#pragma once

#include <thaw/format.hpp>
#include <thaw/m3.hpp>

namespace thaw::m3 {

Facts facts_of(const Document& document);

}  // namespace thaw::m3
