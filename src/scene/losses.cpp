#include "scene/losses.hpp"

#include "bytes/number_text.hpp"

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
  const auto count = [&](std::string_view what, const auto& lost) {
    const auto number = std::count_if(used.begin(), used.end(), [&](Index index) {
      return index < scene.materials.size() && lost(scene.materials[index].layers);
    });
    if (number > 0) {
      losses.push_back(std::string(what) + counted(static_cast<std::uint64_t>(number), "material"));
    }
  };
  const auto look = [&](std::string_view what, bool (*lost)(const Layer&)) {
    count(what, [&](const std::vector<Layer>& layers) {
      const auto end = places.layers || layers.empty() ? layers.end() : layers.begin() + 1;
      return std::any_of(layers.begin(), end, lost);
    });
  };
  if (!places.layers) {
    count("layers after the first left out of ",
          [](const std::vector<Layer>& layers) { return layers.size() > 1; });
  }
  look("back faces left out of ", [](const Layer& layer) { return layer.two_sided; });
  look("unlit shading left out of ", [](const Layer& layer) { return layer.unshaded; });
  if (!places.blend) {
    look("transparency left out of ", [](const Layer& layer) { return layer.blend != BlendMode::opaque; });
  }
  return losses;
}

std::vector<std::string> object_losses(const Scene& scene, const ObjectPlaces& places) {
  std::vector<std::string> losses;
  const auto look = [&](std::string_view what, std::size_t count) {
    if (count > 0) {
      losses.push_back(std::string(what) + " left out: " + std::to_string(count));
    }
  };
  look("lights", places.lights ? 0 : scene.lights.size());
  look("cameras", scene.cameras.size());
  look("emitters and ribbons", scene.emitters.size() + scene.ribbons.size());
  look("attachments and events", scene.attachments.size() + scene.events.size());
  look("collision shapes", scene.collision_shapes.size());
  return losses;
}

}  // namespace thaw::scene
