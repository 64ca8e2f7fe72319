// Buildings (WMO): as scenes with their group files and doodads, and from one version to another.
#pragma once

#include <thaw/wmo.hpp>

#include "cli/makers.hpp"

namespace thaw::cli {

/// The scene, with the models of its doodads. Group files of version 17 and models are looked for in the
/// sources.
Result<scene::Scene> wmo_scene(const Work& work, const wmo::Document& document);

/// --to wmo-v14 and wmo-v17.
Result<Product> make_wmo(const Work& work, const wmo::Document& document);

}  // namespace thaw::cli
