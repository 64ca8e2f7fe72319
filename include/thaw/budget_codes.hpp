// Codes of what would take more than it may, see OpenSceneOptions and the command's --max-scene and
// --max-output, and of what --isolate ended.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kSceneTooLarge{"limit.scene", Severity::error,
                                     "the scene would exceed its memory limit"};
inline constexpr Code kOutputTooLarge{"limit.output", Severity::error,
                                      "the output would exceed its size limit"};
inline constexpr Code kDied{"isolate.died", Severity::error, "the reading process was ended"};

/// Every code of this page.
inline constexpr std::array kBudgets = {kSceneTooLarge, kOutputTooLarge, kDied};

}  // namespace thaw::codes

#pragma GCC visibility pop
