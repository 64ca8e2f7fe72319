// Models of scenes, for the descriptor: with the pictures that their materials name.
#pragma once

#include <thaw/control.hpp>
#include <thaw/dme.hpp>
#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::dme {

/// A model, and what lies beside it.
struct ModelOfScene {
  Document document;
  /// Names of textures, and which of the scene's each is.
  std::vector<std::pair<std::string, scene::Index>> pictures;
};

/// A model of version 4 (dme.md#writing). Errors: write.unsupported for a scene without triangles, or with
/// more bones than a draw call can number, limit.stopped.
Result<ModelOfScene> from_scene(const scene::Scene& scene, Diagnostics& diagnostics,
                                const Control* control = nullptr);

}  // namespace thaw::dme
