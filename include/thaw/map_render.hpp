// Pictures of maps of World of Warcraft's alpha: tiles from above, and what is seen from a place or along a
// way.
#pragma once

#include <thaw/film.hpp>
#include <thaw/lit.hpp>
#include <thaw/map_models.hpp>
#include <thaw/world_picture.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>

#pragma GCC visibility push(default)

namespace thaw {

/// How a picture of a map is taken. Of the shot count its size, background and what the rasteriser and the
/// frame take.
struct MapShot {
  Shot shot;
  wdt::TileRange tiles;         ///< from above
  world::SceneOptions scene;    ///< but for where models and textures come from
  world::GroundLight light;     ///< where there is no lights.lit
  world::ViewOptions view;      ///< from a place; its camera is where one looks from
  double heading = 0;           ///< radians from north towards west
  double pitch = 0;             ///< radians above the horizon
  bool own_fog = false;         ///< `shot.frame.fog` counts, and not that of the place
  bool own_background = false;  ///< the shot's counts, and not the sky of a day or the colour of the fog
  bool own_bake_size = false;   ///< SceneOptions::bake_size counts, and not what the picture's size asks for
};

/// A map, and what belongs to it.
struct MapToRender {
  const wdt::World& world;
  const MapModels& models;
  std::string name;                    ///< of its scenes
  const wdl::Document* far = nullptr;  ///< far terrain of the same map
  const lit::Document* lights = nullptr;
};

/// A picture, and what is in it.
struct MapPicture {
  Image image;
  bool complete = true;  ///< the work was not stopped
  std::size_t tiles = 0;
  std::uint64_t triangles = 0;
  std::uint64_t particles = 0;
  std::optional<frame::Camera> camera;  ///< of a picture from a place
};

/// All tiles of the range beside each other, north up, each with what stands on it. Findings that several
/// tiles have in common are reported once. Errors: world.no-tile, world.too-large for more tiles than the
/// picture has pixels, limit.pixels.
Result<MapPicture> render_from_above(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics = Diagnostics::unwanted());

/// What is seen from MapShot::view's camera. Errors: limit.pixels.
Result<MapPicture> render_from_place(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics = Diagnostics::unwanted());

/// What is seen along a path at each of these seconds; ends early, without an error, where the work is
/// stopped. Errors: as above, world.no-tile where there is no ground to be above.
Result<void> render_along_path(const MapToRender& map, const MapShot& shot, const CameraPath& path,
                               std::span<const double> times, const ReadOptions& read,
                               const std::function<void(MapPicture picture)>& take,
                               Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw

#pragma GCC visibility pop
