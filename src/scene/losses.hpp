// Losses of formats: of the look of surfaces, and of what is no surface.
#pragma once

#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::scene {

/// What a format can say.
struct SurfacePlaces {
  bool blend = false;
  bool layers = false;  ///< after the first; without, what they are does not matter
};

/// Of the materials that faces have, what is lost: "the back faces of 2 materials". Empty if nothing is.
std::vector<std::string> surface_losses(const Scene& scene, const SurfacePlaces& places);

/// The contents of a format in addition to meshes.
struct ObjectPlaces {
  bool lights = false;
};

/// Losses of what a scene has in addition to meshes: "emitters and ribbons: 2". Empty if there are none.
std::vector<std::string> object_losses(const Scene& scene, const ObjectPlaces& places = {});

}  // namespace thaw::scene
