// What can be reached from what is drawn.
#pragma once

#include "describe/rules.hpp"
#include "formats/warcraft/mdx/rules/model.hpp"

namespace thaw::mdx::rules {

/// By index of the material: a geoset with faces or a ribbon refers to it.
inline std::vector<bool> used_materials(const Model& model) {
  std::vector<bool> used(model.materials.size());
  const auto use = [&](std::int32_t id) {
    if (const auto index = index_in(id, used.size())) {
      used[*index] = true;
    }
  };
  for (const auto& geoset : model.geosets) {
    use(geoset->material_id);
  }
  for (const auto& ribbon : model.ribbons) {
    use(ribbon->material_id);
  }
  return used;
}

/// Reports what is not marked as used.
template <class T>
void report_unused(const Items<T>& items, const std::vector<bool>& used, const char* message,
                   Report& report) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      report.add(items[i].path, message);
    }
  }
}

/// Calls `use` for every layer of a used material.
template <class F>
void for_each_used_layer(const Model& model, F&& use) {
  const auto used = used_materials(model);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) {
      for (const auto& layer : model.materials[i]->layers) {
        use(layer);
      }
    }
  }
}

inline std::vector<bool> used_textures(const Model& model) {
  std::vector<bool> used(model.textures.size());
  const auto use = [&](std::int64_t id) {
    if (const auto index = index_in(id, used.size())) {
      used[*index] = true;
    }
  };
  for_each_used_layer(model, [&](const Layer& layer) {
    for (const auto id : model.texture_ids(layer)) {
      use(id);
    }
  });
  for (const auto& emitter : model.particle_emitters2) {
    use(emitter->texture_id);
  }
  return used;
}

inline std::vector<bool> used_texture_animations(const Model& model) {
  std::vector<bool> used(model.texture_animations.size());
  for_each_used_layer(model, [&](const Layer& layer) {
    if (const auto index = index_in(layer.texture_animation_id, used.size())) {
      used[*index] = true;
    }
  });
  return used;
}

}  // namespace thaw::mdx::rules
