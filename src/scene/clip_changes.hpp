// Changes of the clips of a scene that another program edited.
#pragma once

#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::scene {

/// A clip of `after` as one of `before`.
struct ClipPartner {
  Index was = kNone;  ///< in `before`; kNone: it is new
  bool copy = false;  ///< another clip of `after` is it, and this one a copy
};

/// For each clip of `after` the one of `before` that it is or is a copy of: by the number that both state in
/// extras.thaw.clip, else by name.
std::vector<ClipPartner> clip_partners(const Scene& before, const Scene& after);

/// One line for each clip that was renamed, copied, made longer or shorter, is new or gone.
std::vector<std::string> clip_changes(const Scene& before, const Scene& after);

}  // namespace thaw::scene
