// Facts of M3 models for `thaw info`.
#pragma once

#include <thaw/format.hpp>
#include <thaw/m3.hpp>

namespace thaw::m3 {

Facts facts_of(const Document& document);

}  // namespace thaw::m3
