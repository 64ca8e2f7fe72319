// What physically based surfaces need beside their pictures.
#pragma once

#include <thaw/frame.hpp>

#include <vector>

namespace thaw::frame {

/// What is worked out once of a picture that is no colour.
struct SurfacePicture {
  bool x_in_alpha = false;     ///< of normals: x is in A, as BC3 stores them (dds.md#normal-maps)
  float environment_gain = 1;  ///< of surroundings: makes their mean 1
};

/// Per picture of the scene; for those that no material names as normals or surroundings, nothing of use.
std::vector<SurfacePicture> surface_pictures(const scene::Scene& scene);

/// Sky, horizon and ground, with two bright windows: what surfaces reflect where nothing else is told.
const Image& surroundings();
/// As SurfacePicture has it.
float environment_gain(const Image& image);

}  // namespace thaw::frame
