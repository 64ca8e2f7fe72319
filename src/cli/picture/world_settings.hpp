// Options of the library for maps, from those of the command line.
#pragma once

#include <thaw/convert.hpp>

#include "cli/arguments/settings.hpp"

#include <string>
#include <tl/expected.hpp>

namespace thaw::cli {

/// All but `light`, which comes from a file. The error is a usage error in words.
tl::expected<MapOptions, std::string> map_options(const Settings& settings);

/// How the models of a map are opened.
OpenSceneOptions map_scene_options(const Settings& settings);

/// What speaks against --hour where the light comes from --lights alone: empty, or a usage error in words.
std::string check_hour(const MapSettings& settings);
/// Direct and ambient light of the hour, from --lights; the usual light without it.
Result<world::GroundLight> ground_light(const Settings& settings);

}  // namespace thaw::cli
