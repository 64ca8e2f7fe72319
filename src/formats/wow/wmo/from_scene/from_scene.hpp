// Converts scenes, such as those of other programs, to WMO (docs/user/buildings.md#from-gltf).
#pragma once

#include <thaw/control.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/scene.hpp>
#include <thaw/wmo.hpp>

#include <string>
#include <vector>

namespace thaw::wmo {

/// Unit, and where pictures are to lie.
struct FromSceneOptions {
  float scale = 1;  ///< metres per yard of the game, above 0
  /// In the game, with the separator at its end; empty: at the top.
  std::string texture_path;
  const Control* control = nullptr;  ///< as ReadOptions::control
};

/// A texture that the WMO names: from the scene, or generated.
struct WmoTexture {
  scene::Index texture = scene::kNone;
  std::string path;  ///< in the game, without the ending
  Image image = {};
};

/// A building of version 14, and the pictures that belong next to it.
struct BuildingOfScene {
  Document document;
  std::vector<WmoTexture> pictures;
  // Losses unless these parts are copied from an original; empty: none.
  std::string lost_collision;
  std::string lost_doodads;
};

/// Which parts differ from the original.
struct Rewritten {
  bool anything = false;
  bool geometry = false;
  bool doodads = false;
};

/// Makes a building of a scene. What the game cannot hold is reported as scene.lost, what it says otherwise
/// as scene.changed, what was added as scene.added. Errors: write.unsupported for a scene without triangles,
/// and for one with more materials than a face can name; limit.stopped.
Result<BuildingOfScene> from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                                   Diagnostics& diagnostics);

/// Replaces the chunks of `edited` that are as in `before` (the original converted without edits) by the
/// original's. Chunks that depend on each other are replaced together: the geometry of a group, all
/// materials, all doodads, all lights, all portals.
Rewritten merge_onto(const Document& original, const Document& before, Document& edited);
/// The same in version 17.
Rewritten merge_onto(const SplitBuilding& original, const SplitBuilding& before, SplitBuilding& edited);

}  // namespace thaw::wmo
