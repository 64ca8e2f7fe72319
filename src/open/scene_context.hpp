// One document with everything that decides what it becomes as a scene: what a format's descriptor is given.
#pragma once

#include <thaw/open_scene.hpp>

namespace thaw::open {

/// See the file's head.
struct SceneContext {
  const Sources& sources;
  const SceneRequest& request;
  Diagnostics& findings;

  [[nodiscard]] float scale(float usual) const { return request.scale.value_or(usual); }
  [[nodiscard]] std::string name() const;
};

}  // namespace thaw::open
