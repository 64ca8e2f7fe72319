// Codes of what would take more than it may, see OpenSceneOptions and the command's --max-scene and
// --max-output, and of what --isolate ended.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kSceneTooLarge{"limit.scene", Severity::error,
                                     "the scene would take more memory than is allowed"};
inline constexpr Code kOutputTooLarge{"limit.output", Severity::error,
                                      "what is made would be larger than is allowed"};
inline constexpr Code kDied{"isolate.died", Severity::error, "the process that read the file was ended"};

/// Every code of this page.
inline constexpr std::array kBudgets = {kSceneTooLarge, kOutputTooLarge, kDied};

}  // namespace thaw::codes

#pragma GCC visibility pop
