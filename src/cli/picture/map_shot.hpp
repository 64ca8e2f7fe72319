// Options of `render` for pictures of maps.
#pragma once

#include <thaw/render.hpp>

#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/picture/view_options.hpp"
#include "cli/picture/world_settings.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

namespace thaw::cli {

/// A shot as it is requested.
struct StatedMapShot : MapShot {
  std::optional<Eye> eye;  ///< none: from above
};

/// The map has no tiles: it is shown as the model that it is, or from a place.
bool is_one_building(const Settings& settings, const Input& input);
/// Is a picture of the map requested? Not with a --camera, which looks at tiles as at a model.
bool is_map_shot(const Settings& settings, const Input& input);
/// The error is a usage error in words.
tl::expected<StatedMapShot, std::string> parse_map_shot(const Settings& settings, const Shot& shot);

using TakePicture = std::function<void(MapPicture picture)>;

/// Pictures of a map: one, or one for each moment along a path.
struct MapFilm {
  const StatedMapShot& shot;
  const CameraPath* path = nullptr;  ///< null: one picture, as `shot` says
  std::span<const double> times = {};
};
/// Errors: what does not open; world.too-large for more tiles than the picture has pixels; world.no-tile
/// where there is no ground to be above.
Result<void> draw_map(const MapFilm& film, const Input& input, const Settings& settings,
                      TextureFolders& folders, const TakePicture& take, Diagnostics& findings);

}  // namespace thaw::cli
