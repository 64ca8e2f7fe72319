// Codes of findings in M3 models of World of Warcraft.
#pragma once

#include <thaw/codes.hpp>

namespace thaw::codes {

// Models: M3.

inline constexpr std::array<Code, 0> kM3 = {};

}  // namespace thaw::codes
