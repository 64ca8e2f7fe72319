// Rules of lights.lit (format page wow-alpha-0.5.3, §16.5).
#pragma once

#include <thaw/lit.hpp>

#include "document/rules.hpp"

#include <span>

namespace thaw::lit {

using LitRule = Rule<Document>;

std::span<const LitRule> rules();

}  // namespace thaw::lit
