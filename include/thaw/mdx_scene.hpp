// Warcraft III models as scenes (docs/formats/warcraft3-rendering.md). What the game's evaluation leaves open
// and what was chosen here is told in docs/library/evaluation.md.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

#include <cstdint>

#pragma GCC visibility push(default)

namespace thaw::mdx {

/// What `to_scene` leaves open: unit, precision, and rules that sources dispute.
struct SceneOptions {
  /// Metres per unit of the game, above 0. One terrain tile is 128 units.
  float scale = 0.01F;
  /// Hermite and Bezier rotations (squad) are fitted by cubic pieces that stay this close, in radians.
  float rotation_tolerance = 2e-5F;
  /// Before the first key of a sequence the curve runs on from the last key, wrapped around
  /// (warcraft3-rendering.md#playing-a-track). With this option it is extrapolated backwards from the first
  /// key, as some viewers do.
  bool extrapolate_before_first_key = false;
  /// Takes node flag 0x2 as "does not inherit rotation" and 0x4 as "does not inherit scaling" instead of the
  /// other way round (mdx.md#node-flags).
  bool swap_inheritance_flags = false;
  /// Floats in all curves together. Clips that would exceed it are left out with a finding: a hostile file of
  /// many tracks and many sequences could otherwise ask for their product.
  std::uint64_t max_curve_values = std::uint64_t{1} << 22U;
};

/// Converts any document that reads, damaged ones included, into a scene that holds together: indices in
/// range, numbers finite, parents before children, key times increasing. What had to be mended is reported as
/// scene.* findings. Y is up, lengths are metres, times seconds from the start of each clip.
///
/// One clip per sequence, then one per global sequence in use ("global:N", Clip::global). One mesh per
/// geoset, textures as in TEXS (followed by the game's own for empty slots of HD layers), one node per object
/// of the hierarchy, all below one root.
scene::Scene to_scene(const Document& document, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::mdx

#pragma GCC visibility pop
