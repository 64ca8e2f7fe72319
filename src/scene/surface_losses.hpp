// What formats have no place for of the look of a surface.
#pragma once

#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::scene {

/// What a format can say.
struct SurfacePlaces {
  bool blend = false;
  bool layers = false;  ///< behind the first; without, what they are does not matter
};

/// Of the materials that faces have, what is lost: "the back faces of 2 materials". Empty if nothing is.
std::vector<std::string> surface_losses(const Scene& scene, const SurfacePlaces& places);

}  // namespace thaw::scene
