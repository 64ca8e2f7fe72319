// World of Warcraft buildings as scenes (wmo.md#structure). What that page leaves open and what was chosen
// here is told in docs/user/buildings.md.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/scene.hpp>
#include <thaw/wmo.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::wmo {

/// The model of a doodad, with its pictures.
struct Model {
  std::shared_ptr<const scene::Scene> scene;  ///< null if there is none; in the unit of SceneOptions::scale
  /// From the axes that this scene has to those of buildings, as a rotation x y z w. Models of Warcraft III
  /// and of the alpha are turned differently: see kModelTurn.
  Vec4 turn{0, 0, 0, 1};
};
/// Turns a scene that came from (x, y, z) → (x, z, −y), as MDX does, to (y, z, x), as buildings and terrain
/// do.
inline constexpr Vec4 kModelTurn = {0, -0.70710678F, 0, 0.70710678F};

/// By the model's path in the game (where old files say ".mdl", ".mdx" is meant). Called once per path.
using LoadModel = std::function<Model(std::string_view path)>;

/// What `to_scene` leaves open: unit, doodads, collision and portals.
struct SceneOptions {
  /// Metres per unit of the scene's source, above 0: 1 keeps yards, 0.9144 makes metres of them.
  float scale = 1;
  /// A doodad set by number or name (case does not matter) that is shown beside set 0; "all" or "none" (not
  /// even set 0); empty for set 0 alone.
  std::string doodad_set;
  bool collision = false;  ///< faces that stop players, as a mesh per group
  bool portals = false;    ///< portals as meshes; as nodes they are always there
  LoadModel load_model;    ///< none: doodads are nodes without a model
  /// The client's pictures of liquids, which no building names (docs/user/worlds.md#liquids); null for those
  /// that are not there, and are made then.
  std::function<std::shared_ptr<const Image>(std::string_view path)> liquid_texture = nullptr;
};

/// Converts a building into a scene that holds together, whatever is wrong with it; what had to be mended is
/// reported. `groups` are the files of the groups of version 17, by number, null for those that are missing;
/// of a building in one file they are ignored. Y is up, north is +Z, west +X.
///
/// Below the root: one node per group with its mesh (a part per material), its liquids and its collision
/// below it; nodes for the portals, the lights and the fogs; one node per doodad set that is shown, with a
/// node per doodad. Fails with wmo.doodad-set if the set does not exist.
Result<scene::Scene> to_scene(const Document& document, std::span<const Document* const> groups,
                              std::string_view name, const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::unwanted());

/// What the tile bytes of a liquid say (wmo.md#liquids): the low nibble of the first tile that has liquid.
enum class LiquidKind : std::uint8_t { none, water, ocean, magma, slime };
/// `none` if no tile has liquid.
LiquidKind liquid_kind(const Liquid& liquid);

/// Where a vertex of a liquid is, in the building's own yards. Before version 17 the grid is transposed.
Vec3 liquid_position(const Liquid& liquid, std::uint32_t version, std::int32_t x, std::int32_t y);

/// "X_003.wmo" for group 3 of "X.wmo".
std::string group_file_name(std::string_view root, std::size_t group);

}  // namespace thaw::wmo

#pragma GCC visibility pop
