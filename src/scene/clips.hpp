// Which clip is meant.
#pragma once

#include <thaw/scene.hpp>

#include <span>

namespace thaw::scene {

/// The clip that shows a model when nobody chose one: the stand with the plainest name, else the first that
/// loops, else the first; kNone without any. Global loops are none.
Index default_clip(std::span<const Clip> clips);

}  // namespace thaw::scene
