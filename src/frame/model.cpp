#include "frame/model.hpp"

#include "scene/clips.hpp"
#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace thaw::frame {
namespace {

bool indices_sound(const scene::Scene& scene, const scene::Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  const auto small = [&](const Array<std::uint32_t>& indices) {
    return std::all_of(indices.begin(), indices.end(), [&](std::uint32_t index) { return index < count; });
  };
  const auto known = [&](Index material) { return material == kNone || material < scene.materials.size(); };
  return small(mesh.indices) &&
         std::all_of(mesh.wires.begin(), mesh.wires.end(),
                     [&](const scene::Wire& wire) { return small(wire.indices) && known(wire.material); }) &&
         std::all_of(mesh.parts.begin(), mesh.parts.end(), [&](const scene::MeshPart& part) {
           return part.first_index <= mesh.indices.size() &&
                  part.index_count <= mesh.indices.size() - part.first_index && known(part.material);
         });
}

bool skin_sound(const scene::Scene& scene, const scene::Mesh& mesh) {
  if (mesh.skin == kNone) {
    return mesh.node == kNone || mesh.node < scene.nodes.size();
  }
  return scene::sound_skin(scene, mesh) != nullptr;
}

bool arrays_sound(const scene::Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
  return fits(mesh.normals.size()) && fits(mesh.tangents.size()) && fits(mesh.colors.size()) &&
         std::all_of(mesh.uv_sets.begin(), mesh.uv_sets.end(),
                     [&](const Array<Vec2>& set) { return fits(set.size()); }) &&
         std::all_of(mesh.morph_targets.begin(), mesh.morph_targets.end(),
                     [&](const scene::MorphTarget& target) {
                       return fits(target.positions.size()) && fits(target.normals.size());
                     });
}

bool shows_normals(const scene::Scene& scene, const scene::Mesh& mesh) {
  return std::any_of(mesh.parts.begin(), mesh.parts.end(), [&](const scene::MeshPart& part) {
    if (part.material == kNone) {
      return false;
    }
    const auto& layers = scene.materials[part.material].layers;
    return std::any_of(layers.begin(), layers.end(), [](const scene::Layer& layer) {
      return layer.physically_based && layer.normal != kNone;
    });
  });
}

int compare_influences(const scene::Mesh& mesh, std::uint32_t a, std::uint32_t b) {
  const std::size_t n = mesh.influences;
  const int joints = std::memcmp(&mesh.joints[a * n], &mesh.joints[b * n], n * sizeof(mesh.joints[0]));
  return joints != 0 ? joints
                     : std::memcmp(&mesh.weights[a * n], &mesh.weights[b * n], n * sizeof(mesh.weights[0]));
}

void find_groups(const scene::Mesh& mesh, MeshData& data) {
  const std::size_t count = mesh.positions.size();
  if (mesh.skin == kNone || mesh.influences == 0 || count == 0) {
    return;
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int difference = compare_influences(mesh, a, b);
    return difference != 0 ? difference < 0 : a < b;
  });
  data.groups.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || compare_influences(mesh, order[i - 1], order[i]) != 0) {
      data.representatives.push_back(order[i]);
    }
    data.groups[order[i]] = static_cast<std::uint32_t>(data.representatives.size() - 1);
  }
}

}  // namespace

ModelData::ModelData(std::shared_ptr<const scene::Scene> source)
    : scene(std::move(source)),
      skeleton(*scene),
      meshes(scene->meshes.size()),
      clip(scene::default_clip(*scene)),
      surface_pictures(frame::surface_pictures(*scene)),
      attachment_models(scene->attachments.size(), kNone),
      emitter_models(scene->emitters.size(), kNone),
      placed_models(scene->placements.size(), kNone),
      event_models(scene->events.size(), kNone),
      event_lives(scene->events.size()),
      hidden_nodes(scene->nodes.size()) {
  const auto levels = scene::levels_of_detail(*scene);
  for (Index node = 0; node < hidden_nodes.size(); ++node) {
    hidden_nodes[node] = levels[node].level > 0;
  }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const scene::Mesh& mesh = scene->meshes[i];
    MeshData& data = meshes[i];
    data.sound = arrays_sound(mesh) && indices_sound(*scene, mesh) && skin_sound(*scene, mesh);
    if (!data.sound) {
      continue;
    }
    if (mesh.normals.empty()) {
      data.normals = scene::smooth_normals(mesh);
    }
    if (mesh.tangents.empty() && shows_normals(*scene, mesh)) {
      data.tangents = scene::tangents_by_uvs(mesh, mesh.normals.empty() ? data.normals : mesh.normals);
    }
    find_groups(mesh, data);
  }
}

}  // namespace thaw::frame
