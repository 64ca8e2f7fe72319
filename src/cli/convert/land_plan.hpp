// What a new map is made of, as a text says it (docs/world.md#a-new-map).
#pragma once

#include "cli/arguments/settings.hpp"
#include "world/land.hpp"

#include <string>

namespace thaw::cli {

/// Reads a description, and the pictures and buildings that it names beside it. Errors begin with the place
/// in the description: "layers[1].mask: …".
Result<world::LandPlan> read_land_plan(const std::string& name, const Settings& settings,
                                       Diagnostics& findings);

}  // namespace thaw::cli
