// Models of World of Warcraft's alpha as scenes, and as models of Warcraft III (mdx_alpha.md#animation,
// mdx_alpha.md#skins). What was chosen where sources disagree is told in docs/library/evaluation.md.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mdx_alpha {

/// What `to_scene` leaves open: unit, precision, and a rule that sources dispute.
struct SceneOptions {
  /// Metres per yard, above 0. By default a yard becomes a unit, as other tools do it; 0.9144 is true to
  /// size.
  float scale = 1;
  /// Hermite and Bezier rotations (squad) are fitted by cubic pieces that stay this close, in radians.
  float rotation_tolerance = 2e-5F;
  /// Takes node flag 0x2 as "does not inherit rotation" and 0x4 as "does not inherit scaling" instead of the
  /// other way round.
  bool swap_inheritance_flags = false;
  /// Floats in all curves together, as in mdx::SceneOptions.
  std::uint64_t max_curve_values = std::uint64_t{1} << 22U;
};

/// Converts any document that reads, damaged ones included, into a scene that holds together. The model looks
/// along +Z and stands on Y = 0: (x, y, z) of the file is (y, z, x). One clip per sequence, then one per
/// global sequence in use; one mesh per geoset, textures as in TEXS, one node per object of the hierarchy.
/// Findings are scene.* ones. Scene::source_format is "mdx-alpha".
scene::Scene to_scene(const Document& document, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// Which of the files beside a model are its skins (mdx_alpha.md#skins): pairs for
/// ImageOptions::replaceables. The game knows them from a table (CreatureDisplayInfo.dbc) and looks in the
/// folder of the model; without the table names decide. For ids 1, 2 and 11, of the .blp files that no
/// texture names, the one called as the model, else as the model with `Skin`, else the first that begins so,
/// else the first that begins as the model, else the first with `Skin` in it; for ids 12 and 13 the first
/// that begins as the model with `Skin2` or `Skin3`. `model` is the name of the file without its extension;
/// `files` are names or paths, which are given back as they are.
std::vector<std::pair<std::uint32_t, std::string>> skins_beside(const Document& document,
                                                                std::string_view model,
                                                                const std::vector<std::string>& files);

/// The model of Warcraft III (version 800; 900 for one of version 1500) that says the same, as far as one
/// can, in the same axes and units. What it cannot say is reported as convert.* findings. Damaged objects
/// hold what could be read of them.
mdx::Document to_warcraft(const Document& document, Diagnostics& diagnostics = Diagnostics::unwanted());

/// "monster skin 1" and the like for the game's replaceable textures; empty for ids that it does not define.
std::string_view replaceable_name(std::uint32_t replaceable_id);

}  // namespace thaw::mdx_alpha

#pragma GCC visibility pop
