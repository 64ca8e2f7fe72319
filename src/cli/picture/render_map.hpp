// Pictures of maps for `render`: from above, and from a place in them.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/raster.hpp>
#include <thaw/world_view.hpp>

#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/picture/camera_path.hpp"
#include "cli/picture/shot.hpp"
#include "cli/picture/world_place.hpp"
#include "cli/picture/world_settings.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

namespace thaw::cli {

/// What the options say of a picture of a map.
struct MapShot {
  Shot shot;
  bool fog_stated = false;  ///< `shot.frame.fog` is what the options want, even if it is none
  MapOptions map;
  world::ViewOptions view;
  std::optional<Eye> eye;  ///< none: from above
  double heading = 0;
  double pitch = 0;
};

/// The map has no tiles: it is shown as the model that it is, or from a place.
bool is_one_building(const Settings& settings, const Input& input);
/// Is a picture of the map asked for? Not with a --camera, which looks at tiles as at a model.
bool is_map_shot(const Settings& settings, const Input& input);
/// The error is a usage error in words.
tl::expected<MapShot, std::string> parse_map_shot(const Settings& settings, const Shot& shot);

struct MapPicture {
  Image image;
  bool complete = true;
  std::size_t tiles = 0;
  std::uint64_t triangles = 0;
  std::uint64_t particles = 0;
  std::optional<frame::Camera> camera;  ///< of a picture from a place
};
using TakePicture = std::function<void(MapPicture picture)>;

/// Pictures of a map: one, or one for each moment along a path.
struct MapFilm {
  const MapShot& shot;
  const CameraPath* path = nullptr;  ///< null: one picture, as `shot` says
  std::span<const double> times = {};
};
/// Errors: what does not open; world.too-large for more tiles than the picture has pixels; world.no-tile
/// where there is no ground to be above.
Result<void> draw_map(const MapFilm& film, const Input& input, const Settings& settings,
                      TextureFolders& folders, const TakePicture& take, Diagnostics& findings);

}  // namespace thaw::cli
