// Facts of animation networks and animations for `thaw info`.
#pragma once

#include <thaw/format.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

namespace thaw::mrn {
Facts facts_of(const Document& document);
}  // namespace thaw::mrn

namespace thaw::nsa {
Facts facts_of(const Document& document);
}  // namespace thaw::nsa
