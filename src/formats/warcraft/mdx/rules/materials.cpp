// MTLS and TXAN: layers, what they refer to, shaders.
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/usage.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace thaw::mdx::rules {
namespace {

void material_none(const Model& model, Report& report) {
  if (model.materials.empty() && !model.geosets.empty()) {
    report.add("", "the model has geosets but no materials");
  }
}

void no_layers(const Model& model, Report& report) {
  for (const auto& material : model.materials) {
    if (material->layers.empty()) {
      report.add(material.path, "the material has no layers");
    }
  }
}

void material_unused(const Model& model, Report& report) {
  const auto used = used_materials(model);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      report.add(model.materials[i].path, "no geoset and no ribbon uses the material");
    }
  }
}

void shader_unknown(const Model& model, Report& report) {
  for (const auto& material : model.materials) {
    const std::string_view name = material->shader.view();
    const bool known = name.empty() || find_shader(name) != nullptr;
    if (model.version >= 900 && model.version < 1100 && !known) {
      report.add(material.path + ".shader", say("unknown shader \"", name, "\""));
    }
  }
  for (const auto& layer : model.layers) {
    if (model.version >= 1100 && find_shader(layer->shader_id) == nullptr) {
      report.add(layer.path + ".shaderId", say("shader ", layer->shader_id, " is not a model shader"));
    }
  }
}

void hd_layer_count(const Model& model, Report& report) {
  constexpr std::size_t kSlots = 6;
  for (const auto& material : model.materials) {
    if (model.version < 1100 && model.is_hd(*material) && material->layers.size() != kSlots) {
      report.add(material.path + ".layers",
                 say("HD materials need six layers, not ", material->layers.size()));
    }
  }
}

void material_flags(const Model& model, Report& report) {
  constexpr std::uint32_t kKnown = Material::kConstantColor | Material::kTwoSided |
                                   Material::kSortPrimsNearZ | Material::kSortPrimsFarZ |
                                   Material::kFullResolution;
  for (const auto& material : model.materials) {
    if ((material->flags & ~kKnown) != 0) {
      report.add(material.path + ".flags", say("flags ", material->flags, " have undefined bits"));
    }
  }
}

void layer_texture(const Model& model, Report& report) {
  for (const auto& layer : model.layers) {
    const bool keyed = find_track(layer->tracks, FourCC{"KMTF"}) != nullptr;
    if (model.version < 1100 && !keyed && !index_in(layer->texture_id, model.textures.size())) {
      report.add(layer.path + ".textureId", say("texture ", layer->texture_id, " does not exist"));
    }
    for (std::size_t i = 0; i < layer->slots.size(); ++i) {
      const auto& slot = layer->slots[i];
      if (!slot.flipbook && !index_in(slot.texture_id, model.textures.size())) {
        report.add(say(layer.path, ".slots[", i, "].textureId"),
                   say("texture ", slot.texture_id, " does not exist"));
      }
    }
  }
}

void layer_flipbook(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (item.track->tag != FourCC{"KMTF"}) {
      continue;
    }
    for (std::size_t key = 0; key < item.track->size(); ++key) {
      if (const auto id = item.track->integer(key); !index_in(id, model.textures.size())) {
        report.add(at(model.path_of(item) + ".keys", key), say("texture ", id, " does not exist"));
        break;
      }
    }
  }
}

void layer_texture_animation(const Model& model, Report& report) {
  for (const auto& layer : model.layers) {
    const auto id = layer->texture_animation_id;
    if (id != -1 && !index_in(id, model.texture_animations.size())) {
      report.add(layer.path + ".textureAnimationId", say("texture animation ", id, " does not exist"));
    }
  }
}

void layer_filter_mode(const Model& model, Report& report) {
  for (const auto& layer : model.layers) {
    if (layer->filter_mode > FilterMode::modulate2x) {
      report.add(layer.path + ".filterMode",
                 say("filter mode ", static_cast<std::uint32_t>(layer->filter_mode), " is drawn as Blend"));
    }
  }
}

void layer_alpha(const Model& model, Report& report) {
  for (const auto& layer : model.layers) {
    if (!(layer->alpha >= 0 && layer->alpha <= 1)) {
      report.add(layer.path + ".alpha", say("alpha is ", layer->alpha));
    }
  }
}

void layer_no_textures(const Model& model, Report& report) {
  for (const auto& layer : model.layers) {
    if (model.version >= 1100 && layer->slots.empty()) {
      report.add(layer.path, "the layer has no textures");
    }
  }
}

void layer_slots(const Model& model, Report& report) {
  constexpr std::uint32_t kLast = 5;
  for (const auto& layer : model.layers) {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < layer->slots.size(); ++i) {
      const std::uint32_t slot = layer->slots[i].slot;
      const bool is_new = seen.insert(slot).second;
      if (slot > kLast || !is_new) {
        report.add(say(layer.path, ".slots[", i, "].slot"),
                   say("slot ", slot, is_new ? " does not exist" : " occurs twice"));
      }
    }
    if (!seen.empty() && !seen.contains(0)) {
      report.add(layer.path + ".slots", "slot 0, the diffuse texture, is missing");
    }
  }
}

void layer_flags(const Model& model, Report& report) {
  constexpr std::uint32_t kKnown = (Layer::kAmbientOcclusion << 1U) - 1;
  for (const auto& layer : model.layers) {
    if (layer->shading_flags > kKnown) {
      report.add(layer.path + ".shadingFlags", say("flags ", layer->shading_flags, " have undefined bits"));
    }
  }
}

void layer_uv_set(const Model& model, Report& report) {
  // Of each material, the geoset with the fewest sets.
  std::map<std::size_t, const Item<Geoset>*> poorest;
  for (const auto& geoset : model.geosets) {
    const auto index = index_in(geoset->material_id, model.materials.size());
    if (index && !geoset->uv_sets.empty()) {
      const auto [found, is_new] = poorest.emplace(*index, &geoset);
      if (!is_new && geoset->uv_sets.size() < found->second->value->uv_sets.size()) {
        found->second = &geoset;
      }
    }
  }
  for (const auto& [index, geoset] : poorest) {
    const auto& material = model.materials[index];
    for (std::size_t i = 0; i < material->layers.size(); ++i) {
      const auto& layer = material->layers[i];
      if (layer.coord_id >= geoset->value->uv_sets.size()) {
        report.add(say(material.path, ".layers[", i, "].coordId"),
                   say("UV set ", layer.coord_id, " does not exist in ", geoset->path));
      }
    }
  }
}

void animation_unused(const Model& model, Report& report) {
  const auto used = used_texture_animations(model);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      report.add(model.texture_animations[i].path, "no used layer refers to the texture animation");
    }
  }
}

void animation_empty(const Model& model, Report& report) {
  for (const auto& animation : model.texture_animations) {
    if (animation->tracks.empty()) {
      report.add(animation.path, "the texture animation has no tracks");
    }
  }
}

constexpr std::array kMaterialRules = {
    ModelRule{
        {"mdx.material-none", {kWarning, kWarning, kError}, "geosets without materials", "Nothing is drawn."},
        material_none},
    ModelRule{{"mdx.material-no-layers",
               {kWarning, kError, kError},
               "material without layers",
               "The game needs at least one. Objects with this material are not drawn, or the game crashes."},
              no_layers},
    ModelRule{{"mdx.material-unused",
               {kUnused, kUnused, kUnused},
               "unused material",
               "Only geosets and ribbons use materials.",
               true},
              material_unused},
    ModelRule{
        {"mdx.material-shader-unknown",
         {kWarning, kWarning, kWarning},
         "unknown or non-model shader",
         "The game uses Shader_SD_Legacy for unknown names. Known are Shader_SD_Legacy, "
         "Shader_HD_DefaultUnit, Shader_SD_FixedFunction and Shader_HD_Crystal (numbers 0, 1, 2 and 24)."},
        shader_unknown},
    ModelRule{{"mdx.material-hd-layers",
               {kWarning, kWarning, kError},
               "HD material without exactly six layers",
               "Below version 1100 the layers of an HD material are its six textures: diffuse, normal, ORM, "
               "emissive, team colour, environment. With another number it is not drawn as HD."},
              hd_layer_count},
    ModelRule{{"mdx.material-flags",
               {kOff, kOff, kInfo},
               "unknown material flags",
               "Known flags are 0x1, 0x2, 0x8, 0x10 and 0x20."},
              material_flags},
    ModelRule{{"mdx.layer-texture",
               {kError, kError, kError},
               "layer texture out of range",
               "The game may crash. Use the index of an existing texture."},
              layer_texture},
    ModelRule{{"mdx.layer-flipbook",
               {kError, kError, kError},
               "texture track key out of range",
               "The game may crash when the key is reached."},
              layer_flipbook},
    ModelRule{{"mdx.layer-texture-animation",
               {kError, kWarning, kError},
               "layer texture animation out of range",
               "The game ignores it. Use -1 for none.",
               true},
              layer_texture_animation},
    ModelRule{{"mdx.layer-filter-mode",
               {kWarning, kWarning, kError},
               "unknown filter mode",
               "Known modes are 0 None, 1 Transparent, 2 Blend, 3 Additive, 4 AddAlpha, 5 Modulate and 6 "
               "Modulate2x."},
              layer_filter_mode},
    ModelRule{
        {"mdx.layer-alpha", {kWarning, kWarning, kWarning}, "layer alpha outside 0 to 1", "Use 0 to 1."},
        layer_alpha},
    ModelRule{{"mdx.layer-no-textures",
               {kError, kError, kError},
               "layer without textures",
               "From version 1100 on a layer lists its textures; the game needs at least slot 0."},
              layer_no_textures},
    ModelRule{{"mdx.layer-slots",
               {kWarning, kWarning, kError},
               "invalid texture slots",
               "Slots are 0 diffuse, 1 normal, 2 ORM, 3 emissive, 4 team colour and 5 environment, each at "
               "most once; 0 is required."},
              layer_slots},
    ModelRule{{"mdx.layer-flags",
               {kOff, kOff, kInfo},
               "unknown shading flags",
               "Bits above 0x400 have no meaning."},
              layer_flags},
    ModelRule{{"mdx.layer-uv-set",
               {kWarning, kWarning, kError},
               "UV set missing from the geoset",
               "Texture coordinates are read from unrelated memory or are zero."},
              layer_uv_set},
    ModelRule{{"mdx.texture-animation-unused",
               {kUnused, kUnused, kUnused},
               "unused texture animation",
               "A texture animation of an unused material counts as unused, too.",
               true},
              animation_unused},
    ModelRule{{"mdx.texture-animation-empty",
               {kUnused, kInfo, kUnused},
               "texture animation without tracks",
               "It has no effect."},
              animation_empty},
};

}  // namespace

std::span<const ModelRule> material_rules() { return kMaterialRules; }

}  // namespace thaw::mdx::rules
