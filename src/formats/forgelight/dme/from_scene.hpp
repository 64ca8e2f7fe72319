// Models of scenes, for the descriptor: with the pictures that their materials name.
#pragma once

#include <thaw/control.hpp>
#include <thaw/dme.hpp>
#include <thaw/image.hpp>
#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::dme {

/// A file that materials name.
struct ModelTexture {
  std::string name;                     ///< with its ending
  scene::Index texture = scene::kNone;  ///< of the scene
  Image image = {};                     ///< where it was made of others
};

/// A model in all its levels of detail, the finest first, and what lies next to it.
struct ModelOfScene {
  std::vector<Document> levels;
  std::vector<ModelTexture> pictures;
};

/// A model of version 4 (dme.md#writing). Errors: write.unsupported for a scene without triangles, or with
/// more bones than a draw call can number, limit.stopped.
Result<ModelOfScene> from_scene(const scene::Scene& scene, Diagnostics& diagnostics,
                                const Control* control = nullptr);

}  // namespace thaw::dme
