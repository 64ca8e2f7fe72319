#include "open/scene_weight.hpp"

#include <thaw/codes.hpp>

#include <set>

namespace thaw::open {
namespace {

template <class List>
std::uint64_t bytes_of(const List& list) {
  return list.size() * sizeof(*list.data());
}

std::uint64_t bytes_of_mesh(const scene::Mesh& mesh) {
  std::uint64_t bytes = sizeof mesh + bytes_of(mesh.positions) + bytes_of(mesh.normals) +
                        bytes_of(mesh.tangents) + bytes_of(mesh.colors) + bytes_of(mesh.second_colors) +
                        bytes_of(mesh.joints) + bytes_of(mesh.weights) + bytes_of(mesh.indices) +
                        bytes_of(mesh.parts);
  for (const auto& uvs : mesh.uv_sets) {
    bytes += bytes_of(uvs);
  }
  for (const auto& wire : mesh.wires) {
    bytes += bytes_of(wire.indices);
  }
  for (const auto& target : mesh.morph_targets) {
    bytes += sizeof target + bytes_of(target.positions) + bytes_of(target.normals);
  }
  return bytes;
}

std::uint64_t bytes_of_clip(const scene::Clip& clip) {
  std::uint64_t bytes = sizeof clip + bytes_of(clip.channels);
  for (const auto& channel : clip.channels) {
    bytes += bytes_of(channel.curve.times) + bytes_of(channel.curve.values);
  }
  return bytes;
}

class Scales {
 public:
  void add(const scene::Scene& scene) {
    if (!weighed_.insert(&scene).second) {
      return;
    }
    weight_.bytes += sizeof scene + bytes_of(scene.nodes) + bytes_of(scene.events) +
                     bytes_of(scene.placements) + bytes_of(scene.materials);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
      add("mesh ", i, scene.meshes[i].name, bytes_of_mesh(scene.meshes[i]));
    }
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
      add("clip ", i, scene.clips[i].name, bytes_of_clip(scene.clips[i]));
    }
    for (const auto& model : scene.models) {
      if (model != nullptr) {
        add(*model);
      }
    }
  }
  SceneWeight take() { return std::move(weight_); }

 private:
  void add(const char* kind, std::size_t number, const std::string& name, std::uint64_t bytes) {
    weight_.bytes += bytes;
    if (bytes > weight_.of_heaviest) {
      weight_.of_heaviest = bytes;
      weight_.heaviest = kind + std::to_string(number) + (name.empty() ? "" : " ") + name;
    }
  }

  SceneWeight weight_;
  std::set<const scene::Scene*> weighed_;
};

}  // namespace

SceneWeight weigh(const scene::Scene& scene) {
  Scales scales;
  scales.add(scene);
  return scales.take();
}

Result<void> hold_to_bound(const scene::Scene& scene, std::uint64_t bound) {
  const SceneWeight weight = weigh(scene);
  if (weight.bytes <= bound) {
    return {};
  }
  const std::string most = weight.heaviest.empty() ? ""
                                                   : "; the largest part, " + weight.heaviest + ", needs " +
                                                         std::to_string(weight.of_heaviest) + " bytes";
  return fail(codes::kSceneTooLarge, "the scene needs " + std::to_string(weight.bytes) +
                                         " bytes without its textures; the limit is " +
                                         std::to_string(bound) + most);
}

}  // namespace thaw::open
