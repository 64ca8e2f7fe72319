// Codes of what options come to, which only a look at what is made tells, and of the files that a run used.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kOptionEffect{"option.effect", Severity::warning,
                                    "an option has no effect, or a different one"};
inline constexpr Code kOptionValue{"option.value", Severity::error, "unknown option or invalid value"};
inline constexpr Code kSourceOutside{"source.outside", Severity::info,
                                     "files outside the model's folder are used"};

/// Every code of this page.
inline constexpr std::array kOptions = {kOptionEffect, kOptionValue, kSourceOutside};

}  // namespace thaw::codes

#pragma GCC visibility pop
