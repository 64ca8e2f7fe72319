// Where a clip lies on the time line of the file that it comes from.
#pragma once

#include <thaw/scene.hpp>

#include <optional>

namespace thaw::scene {

/// Milliseconds from first to last, both included.
struct SourceInterval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a format's to_scene has noted in the clip's extras as "interval"; nothing for clips that are on no
/// common time line.
std::optional<SourceInterval> source_interval(const Clip& clip);

}  // namespace thaw::scene
