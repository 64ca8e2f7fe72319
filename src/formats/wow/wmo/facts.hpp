// Facts of WMOs for `thaw info`.
#pragma once

#include <thaw/format.hpp>
#include <thaw/wmo.hpp>

namespace thaw::wmo {

Facts facts_of(const Document& document);

}  // namespace thaw::wmo
