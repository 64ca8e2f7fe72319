// Codes of pictures that show nothing, and of what a scene loses on its way into a game's format.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kSceneEmptyPicture{"scene.empty-picture", Severity::warning,
                                         "nothing is visible in the image"};
inline constexpr Code kSceneLost{"scene.lost", Severity::warning, "left out; the target has no equivalent"};
inline constexpr Code kSceneChanged{"scene.changed", Severity::warning, "changed to fit the target"};

inline constexpr Code kSceneAdded{"scene.added", Severity::info, "added because the target needs it"};

inline constexpr Code kSceneEdited{"scene.edited", Severity::info,
                                   "a difference from the original was applied"};

inline constexpr Code kSceneGameFile{"scene.game-file", Severity::info,
                                     "not written, because the target names a file of its game"};

/// Every code of this page.
inline constexpr std::array kScenes = {kSceneEmptyPicture, kSceneLost,   kSceneChanged,
                                       kSceneAdded,        kSceneEdited, kSceneGameFile};

}  // namespace thaw::codes

#pragma GCC visibility pop
