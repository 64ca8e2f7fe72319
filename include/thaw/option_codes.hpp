// Codes of what options come to, which only a look at what is made tells.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kOptionEffect{
    "option.effect", Severity::warning,
    "an option changes nothing of what is made, or something else than it says"};

/// Every code of this page.
inline constexpr std::array kOptions = {kOptionEffect};

}  // namespace thaw::codes

#pragma GCC visibility pop
