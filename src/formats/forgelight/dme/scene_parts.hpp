// The steps from a model to a scene.
#pragma once

#include <thaw/dme.hpp>

#include <vector>

namespace thaw::dme {

/// The scene under construction.
struct Build {
  const Document& document;
  const dma::Document& palette;
  const SceneOptions& options;
  scene::Scene& scene;
  Diagnostics& diagnostics;
  scene::Index parent = scene::kNone;
  scene::Index skin = scene::kNone;
  std::vector<scene::Index> materials;  ///< by index in the palette
};

/// Bone nodes and the skin, if there are bones.
void add_bones(Build& build, BoneNodes& bones);
void add_materials(Build& build);
/// One mesh with its node. `name` is what it is called.
void add_mesh(Build& build, std::size_t index, const std::string& name);

}  // namespace thaw::dme
