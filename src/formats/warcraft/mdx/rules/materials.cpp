// MTLS and TXAN: layers, what they refer to, shaders.
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/usage.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace thaw::mdx::rules {
namespace {

void shader_unknown(const Model& model, Report& report) {
  for (const auto& material : model.materials) {
    const std::string_view name = material->shader.view();
    const bool known = name.empty() || find_shader(name) != nullptr;
    if (model.version >= 900 && model.version < 1100 && !known) {
      report.add(material.path + ".shader",
                 say("unknown shader \"", name, "\"; the game uses Shader_SD_Legacy"));
    }
  }
  for (const auto& layer : model.layers) {
    if (model.version >= 1100 && find_shader(layer->shader_id) == nullptr) {
      report.add(layer.path + ".shaderId",
                 say("shader ", layer->shader_id, " is not a model shader; the game uses Shader_SD_Legacy"));
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

constexpr std::array kMaterialRules = {
    ModelRule("mdx.material-none", {kWarning, kWarning, kError}, "geosets without materials",
              "Nothing is drawn. Add a material.", once([](const Model& model) {
                return model.materials.empty() && !model.geosets.empty()
                           ? "the model has geosets but no materials"
                           : "";
              })),
    ModelRule("mdx.material-no-layers", {kWarning, kError, kError}, "material without layers",
              "The game needs at least one. Objects with this material are not drawn, or the game crashes.",
              each<&Model::materials>([](const Material& material) {
                return material.layers.empty() ? "the material has no layers" : "";
              })),
    ModelRule("mdx.material-unused", always(kUnused), "unused material",
              "Only geosets and ribbons use materials. Remove it.", kFixable,
              [](const Model& model, Report& report) {
                report_unused(model.materials, used_materials(model),
                              "no geoset and no ribbon uses the material", report);
              }),
    ModelRule(
        "mdx.material-shader-unknown", always(kWarning), "unknown or non-model shader",
        "The game uses Shader_SD_Legacy instead. Known are Shader_SD_Legacy, "
        "Shader_HD_DefaultUnit, Shader_SD_FixedFunction and Shader_HD_Crystal (numbers 0, 1, 2 and 24).",
        shader_unknown),
    ModelRule("mdx.material-hd-layers", {kWarning, kWarning, kError},
              "HD material without exactly six layers",
              "Below version 1100 the layers of an HD material are its six textures: diffuse, normal, ORM, "
              "emissive, team colour, environment. With another number it is not drawn as HD.",
              each<&Model::materials, "layers">([](const Material& material, const Model& model) {
                constexpr std::size_t kSlots = 6;
                return model.version < 1100 && model.is_hd(material) && material.layers.size() != kSlots
                           ? say("HD materials need six layers, not ", material.layers.size())
                           : "";
              })),
    ModelRule("mdx.material-flags", {kOff, kOff, kInfo}, "unknown material flags",
              "Known flags are 0x1, 0x2, 0x8, 0x10 and 0x20. Clear the others.",
              each<&Model::materials, "flags">([](const Material& material) {
                constexpr std::uint32_t kKnown = Material::kConstantColor | Material::kTwoSided |
                                                 Material::kSortPrimsNearZ | Material::kSortPrimsFarZ |
                                                 Material::kFullResolution;
                return (material.flags & ~kKnown) != 0 ? say("flags ", material.flags, " have undefined bits")
                                                       : "";
              })),
    ModelRule("mdx.layer-texture", always(kError), "layer texture out of range",
              "The game may crash. Use the index of an existing texture.", layer_texture),
    ModelRule("mdx.layer-flipbook", always(kError), "key of a texture track refers to a missing texture",
              "The game may crash when the key is reached. Use the index of an existing texture.",
              each<kTracks, "keys">([](const Track& track, const Model& model) {
                return first_of(track.tag == FourCC{"KMTF"} ? track.size() : 0, [&](std::size_t key) {
                  const auto id = track.integer(key);
                  return !index_in(id, model.textures.size()) ? say("texture ", id, " does not exist") : "";
                });
              })),
    ModelRule("mdx.layer-texture-animation", {kError, kWarning, kError},
              "layer texture animation out of range", "The game ignores it. Use -1 for none.", kFixable,
              each<&Model::layers, "textureAnimationId">([](const Layer& layer, const Model& model) {
                const auto id = layer.texture_animation_id;
                return id != -1 && !index_in(id, model.texture_animations.size())
                           ? say("texture animation ", id, " does not exist")
                           : "";
              })),
    ModelRule("mdx.layer-filter-mode", {kWarning, kWarning, kError}, "unknown filter mode",
              "Known modes are 0 None, 1 Transparent, 2 Blend, 3 Additive, 4 AddAlpha, 5 Modulate and 6 "
              "Modulate2x. The game draws others as Blend.",
              each<&Model::layers, "filterMode">([](const Layer& layer) {
                return layer.filter_mode > FilterMode::modulate2x
                           ? say("unknown filter mode ", static_cast<std::uint32_t>(layer.filter_mode),
                                 " is drawn as Blend")
                           : "";
              })),
    ModelRule("mdx.layer-alpha", always(kWarning), "layer alpha outside 0 to 1", "Use 0 to 1.",
              each<&Model::layers, "alpha">([](const Layer& layer) {
                return !(layer.alpha >= 0 && layer.alpha <= 1)
                           ? say("alpha ", layer.alpha, " is outside 0 to 1")
                           : "";
              })),
    ModelRule(
        "mdx.layer-no-textures", always(kError), "layer without textures",
        "From version 1100 on a layer lists its textures; the game needs at least slot 0. Add a texture.",
        each<&Model::layers>([](const Layer& layer, const Model& model) {
          return model.version >= 1100 && layer.slots.empty() ? "the layer has no textures" : "";
        })),
    ModelRule("mdx.layer-slots", {kWarning, kWarning, kError}, "invalid texture slots",
              "Slots are 0 diffuse, 1 normal, 2 ORM, 3 emissive, 4 team colour and 5 environment, each at "
              "most once; 0 is required. Export the model again.",
              layer_slots),
    ModelRule("mdx.layer-flags", {kOff, kOff, kInfo}, "unknown shading flags",
              "Bits above 0x400 have no meaning. Clear them.",
              each<&Model::layers, "shadingFlags">([](const Layer& layer) {
                constexpr std::uint32_t kKnown = (Layer::kAmbientOcclusion << 1U) - 1;
                return layer.shading_flags > kKnown
                           ? say("flags ", layer.shading_flags, " have undefined bits")
                           : "";
              })),
    ModelRule(
        "mdx.layer-uv-set", {kWarning, kWarning, kError}, "UV set missing from the geoset",
        "Texture coordinates are read from unrelated memory or are zero. Use a UV set that the geoset has.",
        layer_uv_set),
    ModelRule("mdx.texture-animation-unused", always(kUnused), "unused texture animation",
              "It has no effect. A texture animation of an unused material counts as unused, too.", kFixable,
              [](const Model& model, Report& report) {
                report_unused(model.texture_animations, used_texture_animations(model),
                              "no layer of a used material refers to the texture animation", report);
              }),
    ModelRule("mdx.texture-animation-empty", {kUnused, kInfo, kUnused}, "texture animation without tracks",
              "It has no effect. Remove it.",
              each<&Model::texture_animations>([](const TextureAnimation& animation) {
                return animation.tracks.empty() ? "the texture animation has no tracks" : "";
              })),
};

}  // namespace

std::span<const ModelRule> material_rules() { return kMaterialRules; }

}  // namespace thaw::mdx::rules
