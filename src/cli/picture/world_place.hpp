// Seen from a place of a map: what the options of `world` and `render` say of it, and what lies beside the
// map.
#pragma once

#include <thaw/lit.hpp>
#include <thaw/wdl.hpp>
#include <thaw/world_view.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <optional>
#include <string>

namespace thaw::cli {

/// Far clip, hour, weather and detail. Empty if all is well, else a usage error in words.
std::string take_view_options(const MapSettings& settings, world::ViewOptions& view);

struct Companions {
  std::optional<lit::Document> lights;
  std::optional<wdl::Document> far;
};
/// --lights and --wdl, and where they are not named, the files beside the map.
std::optional<Error> read_companions(const Settings& settings, const Input& input, Companions& companions,
                                     Diagnostics& findings);

}  // namespace thaw::cli
