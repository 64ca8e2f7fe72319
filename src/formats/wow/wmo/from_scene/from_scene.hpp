// Scenes as buildings: what other programs made, on its way into the game (docs/user/buildings.md#from-gltf).
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

/// A picture that the building names: of a texture of the scene, or made.
struct WmoTexture {
  scene::Index texture = scene::kNone;
  std::string path;  ///< in the game, without the ending
  Image image = {};
};

/// A building of version 14, and the pictures that belong next to it.
struct BuildingOfScene {
  Document document;
  std::vector<WmoTexture> pictures;
  // What is lost where these parts are not taken from an original; empty: nothing.
  std::string lost_collision;
  std::string lost_doodads;
};

/// What did not stay as the original has it.
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

/// Takes the chunks of the original for those of `made` that are as in `before`, which is what comes of the
/// original when nothing was edited. What depends on each other is taken together: the geometry of a group,
/// all materials, all doodads, all lights, all portals.
Rewritten merge_onto(const Document& original, const Document& before, Document& made);
/// The same in version 17.
Rewritten merge_onto(const SplitBuilding& original, const SplitBuilding& before, SplitBuilding& made);

}  // namespace thaw::wmo
