// One document with everything that decides what it becomes as a scene: what a format's descriptor is given.
#pragma once

#include <thaw/load.hpp>

namespace thaw::open {

/// What the pictures of models within a scene take together, and why one of them has no room.
struct PixelBudget {
  std::uint64_t used = 0;
  std::optional<Error> failure;
};

/// See the file's head.
struct SceneContext {
  const Sources& sources;
  const OpenSceneOptions& request;
  Diagnostics& findings;
  PixelBudget* budget = nullptr;

  [[nodiscard]] float scale(float usual) const { return request.scale.value_or(usual); }
  [[nodiscard]] std::string name() const;
};

}  // namespace thaw::open
