#include "gltf/superseded.hpp"

#include <algorithm>
#include <vector>

namespace thaw::gltf {
namespace {

using scene::Index;
using scene::kNone;

/// Where the items of a list go when some are taken out.
class Moves {
 public:
  Moves(std::size_t count, std::size_t candidates) : used_(count), candidates_(std::min(count, candidates)) {}

  void use(Index item) {
    if (item < used_.size()) {
      used_[item] = true;
    }
  }
  void settle() {
    Index next = 0;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      places_.push_back(used_[i] || i >= candidates_ ? next++ : kNone);
    }
  }
  [[nodiscard]] Index place(Index item) const { return item < places_.size() ? places_[item] : item; }
  template <class T>
  void apply(std::vector<T>& list) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (places_[i] != kNone && places_[i] != i) {
        list[places_[i]] = std::move(list[i]);
      }
    }
    const auto left = std::count_if(places_.begin(), places_.end(), [](Index at) { return at != kNone; });
    list.erase(list.begin() + left, list.end());
  }

 private:
  std::vector<bool> used_;
  std::size_t candidates_;
  std::vector<Index> places_;
};

template <class Visit>
void each_texture(scene::Scene& scene, const Visit& visit) {
  for (auto& material : scene.materials) {
    for (auto& layer : material.layers) {
      for (Index* texture : {&layer.texture, &layer.normal, &layer.orm, &layer.emissive, &layer.team_color,
                             &layer.environment}) {
        visit(*texture);
      }
    }
  }
  for (auto& emitter : scene.emitters) {
    visit(emitter.texture);
  }
  for (auto& clip : scene.clips) {
    for (auto& channel : clip.channels) {
      if (channel.property == scene::Property::layer_texture) {
        for (float& value : channel.curve.values) {
          auto texture = static_cast<Index>(value);
          visit(texture);
          value = static_cast<float>(texture);
        }
      }
    }
  }
}

void drop_materials(scene::Scene& scene, std::size_t candidates) {
  Moves moves(scene.materials.size(), candidates);
  for (const auto& mesh : scene.meshes) {
    for (const auto& part : mesh.parts) {
      moves.use(part.material);
    }
    for (const auto& wire : mesh.wires) {
      moves.use(wire.material);
    }
  }
  for (const auto& ribbon : scene.ribbons) {
    moves.use(ribbon.material);
  }
  moves.settle();
  for (auto& mesh : scene.meshes) {
    for (auto& part : mesh.parts) {
      part.material = moves.place(part.material);
    }
    for (auto& wire : mesh.wires) {
      wire.material = moves.place(wire.material);
    }
  }
  for (auto& ribbon : scene.ribbons) {
    ribbon.material = moves.place(ribbon.material);
  }
  for (auto& clip : scene.clips) {
    for (auto& channel : clip.channels) {
      if (channel.target.kind == scene::Target::Kind::layer) {
        channel.target.index = moves.place(channel.target.index);
      }
    }
  }
  moves.apply(scene.materials);
}

}  // namespace

void drop_superseded(scene::Scene& scene, std::size_t materials, std::size_t textures) {
  drop_materials(scene, materials);
  Moves moves(scene.textures.size(), textures);
  each_texture(scene, [&](Index& texture) { moves.use(texture); });
  moves.settle();
  each_texture(scene, [&](Index& texture) { texture = moves.place(texture); });
  moves.apply(scene.textures);
}

}  // namespace thaw::gltf
