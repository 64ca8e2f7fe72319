// Seen from a place of a map: what the options of `world` and `render` say of it, and what lies next to the
// map.
#pragma once

#include <thaw/lit.hpp>
#include <thaw/wdl.hpp>
#include <thaw/world.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <optional>
#include <string>

namespace thaw::cli {

/// Far clip, hour, weather and detail. Empty if all is well, else a usage error in words.
std::string take_view_options(const MapSettings& settings, world::ViewOptions& view);

/// "X,Y,Z", or "X,Y,+Z" above the ground.
struct Eye {
  Vec3 place{};
  bool above_ground = false;
};
std::optional<Eye> parse_eye(std::string_view text);
/// Its place in the map; world.no-tile where there is no ground to be above.
Result<Vec3> place_of(const Eye& eye, const wdt::World& map, Diagnostics& findings);

struct Companions {
  std::optional<lit::Document> lights;
  std::optional<wdl::Document> far;
};
/// --lights and --wdl, and where they are not named, the files next to the map.
std::optional<Error> read_companions(const Settings& settings, const Input& input, Companions& companions,
                                     Diagnostics& findings);

}  // namespace thaw::cli
