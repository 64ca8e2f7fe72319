// Warcraft III morph models as scenes. See mrf.md#playback.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mrf.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mrf {

/// What `to_scene` leaves open: unit, and which frames are kept.
struct SceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  /// Keep every n-th frame, and the last.
  std::uint32_t every = 1;
  /// Drop frames that linear interpolation of the kept ones reproduces this closely, in metres; negative:
  /// drop none.
  float max_error = -1;
};

/// One mesh: frame 0, and one morph target for each further frame that is kept, with one clip "Morph" that
/// runs through them in real time. A file that the game draws as its last frame only (see `playback`) gives
/// that frame without a clip; one that it does not draw gives frame 0, with a finding. Faces that name
/// missing vertices are dropped with a finding; numbers that are not finite become 0.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

// --- the way back

/// What `from_scene` leaves open: unit, time between frames, texture.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  /// Seconds between frames; 0: what the scene's extras say (if it came from an MRF), else the distance of
  /// its keys if that is the same everywhere, else 1/30.
  float frame_duration = 0;
  /// Path of the texture; empty: that of the extras, else of the first texture.
  std::string texture;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// All meshes of the scene as one morph model: sampled every `frame_duration` of its first clip, morph
/// targets and moving nodes included; without a clip one frame. Normals that a mesh has not are made from its
/// faces; meshes that their node mirrors in the first frame are turned the right way. Skins are not played,
/// coarser levels of detail and collision meshes are left out (reported as scene.approximated). Errors:
/// write.unsupported for more than 65,536 vertices, no triangle, or more than 4,096 frames; limit.stopped.
Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::unwanted());

// --- morph models that belong to a model

/// The IDs of the morph models that the events of a model show: events `MRFx<ID>` (mrf.md#binding).
std::vector<std::string> event_ids(const scene::Scene& scene);

/// Where the game looks for the morph model of an ID.
std::string game_path(std::string_view id);

/// Adds a morph model to the scene of the model whose events show it, in the space of the model: in every
/// clip it is seen from `MRFx<ID>` to `MRDx<ID>`, or to the clip's end, and plays from the first.
void attach(scene::Scene& model, std::string_view id, const Document& document,
            const SceneOptions& options = {}, Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::mrf

#pragma GCC visibility pop
