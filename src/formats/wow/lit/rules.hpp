// Rules of lights.lit (lit.md#checks).
#pragma once

#include <thaw/lit.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::lit {

using LitRule = Rule<Document>;

std::span<const LitRule> rules();

}  // namespace thaw::lit
