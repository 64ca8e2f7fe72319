// Codes of work that was given up, and faults of thaw itself.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kOutOfTime{"limit.time", Severity::error, "the work took longer than it was given"};
inline constexpr Code kOutOfMemory{"limit.memory", Severity::error, "not enough memory"};
inline constexpr Code kStopped{"limit.stopped", Severity::error, "the work was stopped before its end"};
inline constexpr Code kTooManyPixels{"limit.pixels", Severity::error,
                                     "the decoded pictures would take more memory than is allowed"};
inline constexpr Code kBug{"bug", Severity::error, "an error in thaw itself"};

/// Every code of this page.
inline constexpr std::array kLimits = {kOutOfTime, kOutOfMemory, kStopped, kTooManyPixels, kBug};

}  // namespace thaw::codes

#pragma GCC visibility pop
