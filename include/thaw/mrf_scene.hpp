// Warcraft III morph models as scenes. Format page warcraft3, §6.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mrf.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <string_view>

namespace thaw::mrf {

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
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                      Diagnostics& diagnostics);

}  // namespace thaw::mrf
