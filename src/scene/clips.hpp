// Which clip is meant, and where one lies on the time line of the file that it comes from.
#pragma once

#include <thaw/scene.hpp>

#include <optional>
#include <span>

namespace thaw::scene {

/// Milliseconds from first to last, both included.
struct SourceInterval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a format's to_scene has noted in the clip's extras as "interval"; nothing for clips that are on no
/// common time line.
std::optional<SourceInterval> source_interval(const Clip& clip);

/// The clip that shows a model when nobody chose one: the stand with the plainest name, else the first that
/// loops, else the first; kNone without any. Global loops are none.
Index default_clip(std::span<const Clip> clips);

}  // namespace thaw::scene
