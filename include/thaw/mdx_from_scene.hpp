// Scenes as models of Warcraft III: what other programs made, on its way into the game
// (docs/user/to-warcraft.md).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mdx {

/// Unit, version, precision, and what is added to scenes that lack what the game wants.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  std::uint32_t version = 800;  ///< one of kTargetVersions
  /// Whether all materials have the six pictures of HD, which begin with version 900, or none has; without it
  /// those that are physically based do, from version 900 on.
  std::optional<bool> hd = std::nullopt;
  /// How far a curve may be from the scene's: a share of the model's size, and radians.
  float tolerance = 5e-5F;
  /// Adds nothing that the scene does not have: no bone for meshes that hang nowhere, no sequence, no
  /// attachment.
  bool bare = false;
  /// As SceneOptions::swap_inheritance_flags, for the flags that are written.
  bool swap_inheritance_flags = false;
  /// Where pictures that the scene carries are to lie in the game, with the separator at its end; empty: at
  /// the top.
  std::string texture_path;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A picture that the scene carries, and that the model names.
struct ModelPicture {
  scene::Index texture = scene::kNone;  ///< of the scene
  std::string path;                     ///< in the game, without the ending
  Image image = {};                     ///< where the scene made it; else the texture carries the file
  bool normals = false;                 ///< directions, not colours
};

/// The model, and the pictures that belong beside it.
struct ModelOfScene {
  Document document;
  std::vector<ModelPicture> pictures;
  /// The largest distance, in units of the game, of a vertex from where the scene has it while clips play, as
  /// far as moments of them show it.
  double deviation = 0;
};

/// Makes a model of a scene. What the game cannot hold is reported as scene.lost, what it says otherwise as
/// scene.changed, what was added as scene.added. Errors: write.unsupported for scenes that no model can be of
/// (clips longer than its clock, more bones than a version can name, HD before version 900), convert.version
/// for a version that cannot be written, limit.stopped.
Result<ModelOfScene> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                                Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::mdx

#pragma GCC visibility pop
