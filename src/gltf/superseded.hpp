// Materials and pictures of a glTF file that kept ones have taken the place of.
#pragma once

#include <thaw/scene.hpp>

#include <cstddef>

namespace thaw::gltf {

/// Takes out the first `materials` and `textures` of the scene's lists as far as nothing shows them.
void drop_superseded(scene::Scene& scene, std::size_t materials, std::size_t textures);

}  // namespace thaw::gltf
