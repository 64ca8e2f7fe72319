// Codes of pictures that show nothing, and of what a scene loses on its way into a game's format.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kSceneEmptyPicture{"scene.empty-picture", Severity::warning,
                                         "a picture in which nothing is visible"};
inline constexpr Code kSceneLost{"scene.lost", Severity::warning,
                                 "something that the target has no place for is left out"};
inline constexpr Code kSceneChanged{"scene.changed", Severity::warning,
                                    "something that the target says otherwise"};

inline constexpr Code kSceneAdded{"scene.added", Severity::info,
                                  "something that the target wants and the scene did not have"};

inline constexpr Code kSceneEdited{"scene.edited", Severity::info,
                                   "a difference from the original that was taken over"};

/// Every code of this page.
inline constexpr std::array kScenes = {kSceneEmptyPicture, kSceneLost, kSceneChanged, kSceneAdded,
                                       kSceneEdited};

}  // namespace thaw::codes

#pragma GCC visibility pop
