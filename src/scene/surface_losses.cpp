#include "scene/surface_losses.hpp"

#include "bytes/words.hpp"

#include <algorithm>
#include <set>

namespace thaw::scene {

std::vector<std::string> surface_losses(const Scene& scene, const SurfacePlaces& places) {
  std::set<Index> used;
  for (const auto& mesh : scene.meshes) {
    for (const auto& part : mesh.parts) {
      used.insert(part.material);
    }
  }
  std::vector<std::string> losses;
  const auto look = [&](std::string_view what, bool (*lost)(const Layer&)) {
    const auto count = std::count_if(used.begin(), used.end(), [&](Index index) {
      return index < scene.materials.size() &&
             std::any_of(scene.materials[index].layers.begin(), scene.materials[index].layers.end(), lost);
    });
    if (count > 0) {
      losses.push_back(std::string(what) + counted(static_cast<std::uint64_t>(count), "material"));
    }
  };
  look("the back faces of ", [](const Layer& layer) { return layer.two_sided; });
  look("the unlit look of ", [](const Layer& layer) { return layer.unshaded; });
  if (!places.blend) {
    look("the transparency of ", [](const Layer& layer) { return layer.blend != BlendMode::opaque; });
  }
  return losses;
}

}  // namespace thaw::scene
