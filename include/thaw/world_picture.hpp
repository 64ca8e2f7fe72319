// What frame::Evaluator needs for pictures of maps: from a place as the client shows it, with its far clip,
// far terrain, fog, sky and light of the hour; and of a tile from above. See thaw/world.hpp for the rules and
// docs/user/worlds.md for what was chosen where nothing is known.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/world_scene.hpp>
#include <thaw/world_view.hpp>

#include <optional>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::world {

/// A scene with its own lights, and how to look at it.
struct Sight {
  scene::Scene scene;
  frame::Camera camera;
  frame::Options options;
};

/// Where a picture is taken from, and what is in it.
struct PictureOptions {
  ViewOptions view;                  ///< the eye is its camera
  double heading = 0;                ///< radians from north towards west
  double pitch = 0;                  ///< radians above the horizon
  float field_of_view = 1.0471976F;  ///< radians between bottom and top
  float aspect = 1;                  ///< width by height
  /// Pixels from bottom to top: chunks near the eye have pictures of their own that are as fine as that; 0:
  /// their tiles' pictures are all that there is.
  std::uint32_t height = 0;
  bool fog = true;  ///< View::fog
  SceneOptions scene;
  GroundLight light;  ///< where no lights.lit says it; its direction always
  /// Light, fog and sky of a map with tiles where no lights.lit says them; none: `light` alone.
  std::optional<LightValues> otherwise = std::nullopt;
};

/// A clear day, for `otherwise`: GroundLight's light, a blue sky, and fog as far as buildings of the game
/// have it by default, if the far clip does not end before (docs/user/worlds.md#pictures-thaw-render-mapwdt).
LightValues usual_light(float far_clip);

/// Looks from a place: ground by chunks and what stands on it within the far clip, the far terrain where no
/// chunk is, under the sky of the hour. Reads the tiles within the far clip, and no others. `far` and
/// `lights` may be null. Tiles that do not read are reported and left out.
Sight look_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
                std::string_view name, const PictureOptions& options = {},
                Diagnostics& diagnostics = Diagnostics::unwanted());

/// Looks down on one tile, which fills the picture: north up, as on a map, with what stands on it.
Sight look_down(const wdt::Map& map, const wdt::Tile& tile, std::string_view name,
                const SceneOptions& options, const GroundLight& light,
                Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::world

#pragma GCC visibility pop
