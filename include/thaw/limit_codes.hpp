// Codes of work that was given up, and faults of thaw itself.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kOutOfTime{"limit.time", Severity::error, "the time limit was exceeded"};
inline constexpr Code kOutOfMemory{"limit.memory", Severity::error, "not enough memory"};
inline constexpr Code kStopped{"limit.stopped", Severity::error, "the work was cancelled"};
inline constexpr Code kTooManyPixels{"limit.pixels", Severity::error,
                                     "the decoded images would exceed the pixel limit"};
inline constexpr Code kBug{"bug", Severity::error, "an error in thaw itself"};

/// Every code of this page.
inline constexpr std::array kLimits = {kOutOfTime, kOutOfMemory, kStopped, kTooManyPixels, kBug};

}  // namespace thaw::codes

#pragma GCC visibility pop
