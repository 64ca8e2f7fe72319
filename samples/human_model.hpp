// The character that the skeleton in humanoid.hpp moves: model, materials, textures and actor of Forgelight.
#pragma once

#include "packs.hpp"
#include "paint.hpp"

#include <thaw/dme.hpp>

namespace thaw::samples {

/// Two draw calls with palettes of their own: what is above the hips, and the legs.
dme::Document human_model();

Canvas human_colors();
Canvas human_normals();
/// Red is metal, blue is light of its own, alpha is roughness.
Canvas human_specular();

/// The actor, XML.
Bytes human_actor();

/// All of the above, under the names by which the actor knows them.
std::vector<PackFile> human_files();

}  // namespace thaw::samples
