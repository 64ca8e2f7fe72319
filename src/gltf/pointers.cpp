// Targets of KHR_animation_pointer: the colours, opacities and UVs of materials, and lights.
#include "gltf/animation_builder.hpp"
#include "gltf/light_units.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

constexpr float kColorTolerance = 1.0F / 512;
constexpr float kUvTolerance = 1.0F / 2048;

/// The value of a property while a clip plays, also if the clip does not have it.
class Playing {
 public:
  Playing(const Channels& channels, std::size_t clip, const Target& target, Property property)
      : curve(channels.find(clip, target, property)),
        expected(channels.any_in_sequences(target, property) && !channels.clips()[clip].global) {}

  /// `rest` if the clip should have it, else `usual`.
  [[nodiscard]] float scalar(float time, float rest, float usual) const {
    return curve != nullptr ? scene::evaluate_scalar(*curve, time) : expected ? rest : usual;
  }
  template <std::size_t N>
  [[nodiscard]] std::array<float, N> vector(float time, const std::array<float, N>& rest,
                                            const std::array<float, N>& usual) const {
    auto value = expected ? rest : usual;
    if (curve != nullptr) {
      scene::evaluate(*curve, time, value);
    }
    return value;
  }

  const Curve* curve;
  /// Some sequence has it, so that every sequence must say it.
  bool expected;
};

/// `combined`, or one key if there is nothing to combine.
Curve combine(std::initializer_list<const Playing*> parts, unsigned components, float tolerance,
              const std::function<void(float, std::span<float>)>& evaluate) {
  std::vector<const Curve*> curves;
  bool expected = false;
  for (const Playing* part : parts) {
    expected = expected || part->expected;
    if (part->curve != nullptr) {
      curves.push_back(part->curve);
    }
  }
  Curve result;
  if (!curves.empty()) {
    result = scene::combined(curves, components, tolerance, evaluate);
    scene::drop_redundant_keys(result);
  } else if (expected) {
    result.mode = scene::CurveMode::step;
    result.components = components;
    result.times = {0};
    result.values.resize(components, 0);
    evaluate(0, result.values);
  }
  return result;
}

float linear(float value) {
  return static_cast<float>(std::clamp(scene::srgb_to_linear(double{value}), 0.0, 1.0));
}

class MaterialPointers {
 public:
  MaterialPointers(Export& out, std::size_t clip, AnimationBuilder& animation,
                   const AnimatedMaterial& material)
      : out_(out),
        clip_(clip),
        animation_(animation),
        material_(material),
        layer_(out.scene.materials[material.source].layers[material.layer]),
        path_("/materials/" + std::to_string(material.material)) {}

  void add() {
    add_base_color();
    add_uvs();
  }

 private:
  void add_base_color();
  void add_uvs();
  [[nodiscard]] const Material& document_material() const {
    return out_.document.materials[material_.material];
  }

  Export& out_;
  std::size_t clip_;
  AnimationBuilder& animation_;
  const AnimatedMaterial& material_;
  const scene::Layer& layer_;
  std::string path_;
};

void MaterialPointers::add_base_color() {
  const Tint& tint = material_.tint;
  const Target mesh{Target::Kind::mesh, tint.owner, 0};
  const Target layer{Target::Kind::layer, material_.source, material_.layer};
  const Playing color(out_.channels, clip_, mesh, Property::mesh_color);
  const Playing mesh_alpha(out_.channels, clip_, mesh, Property::mesh_alpha);
  const Playing layer_alpha(out_.channels, clip_, layer, Property::layer_alpha);
  const bool blended = document_material().alpha_mode == AlphaMode::blend;
  const scene::Mesh* source = tint.owner == kNone ? nullptr : &out_.scene.meshes[tint.owner];
  const float usual_layer_alpha = out_.channels.typical_alpha(layer, Property::layer_alpha, layer_.alpha);
  const auto evaluate = [&](float time, std::span<float> values) {
    const Vec3 rgb = color.vector(time, source == nullptr ? tint.color : source->color, tint.color);
    for (std::size_t i = 0; i < rgb.size(); ++i) {
      values[i] = linear(rgb[i]);
    }
    const float of_mesh = mesh_alpha.scalar(time, source == nullptr ? 1 : source->alpha, tint.alpha);
    const float of_layer = layer_alpha.scalar(time, layer_.alpha, usual_layer_alpha);
    values[3] = blended ? std::clamp(of_mesh * of_layer, 0.0F, 1.0F) : 1;
  };
  const std::string pointer = path_ + "/pbrMetallicRoughness/baseColorFactor";
  animation_.add_pointer(pointer,
                         blended ? combine({&color, &mesh_alpha, &layer_alpha}, 4, kColorTolerance, evaluate)
                                 : combine({&color}, 4, kColorTolerance, evaluate));
}

void MaterialPointers::add_uvs() {
  if (layer_.uv_animation >= out_.scene.uv_animations.size()) {
    return;
  }
  const Target target{Target::Kind::uv_animation, layer_.uv_animation, 0};
  const scene::UvTransform& rest = out_.scene.uv_animations[layer_.uv_animation].rest;
  const Playing offset(out_.channels, clip_, target, Property::uv_offset);
  const Playing rotation(out_.channels, clip_, target, Property::uv_rotation);
  const Playing scale(out_.channels, clip_, target, Property::uv_scale);
  const auto transform_at = [&](float time) {
    const float angle = rotation.scalar(time, rest.rotation, rest.rotation);
    auto result = to_texture_transform(
        {offset.vector(time, rest.offset, rest.offset), angle, scale.vector(time, rest.scale, rest.scale)});
    // Keep the number of turns.
    const double turn = 2 * scene::kPi;
    const double turns = std::floor((-double{angle} - double{result.rotation}) / turn + 0.5);
    result.rotation = static_cast<float>(double{result.rotation} + turns * turn);
    return result;
  };
  const std::array<const TextureInfo*, 5> infos = {
      &document_material().base_color_texture, &document_material().metallic_roughness_texture,
      &document_material().occlusion_texture, &document_material().normal_texture,
      &document_material().emissive_texture};
  constexpr std::array<std::string_view, 5> kTexturePaths = {
      "/pbrMetallicRoughness/baseColorTexture", "/pbrMetallicRoughness/metallicRoughnessTexture",
      "/occlusionTexture", "/normalTexture", "/emissiveTexture"};
  const auto add = [&](std::string_view name, unsigned components, const auto& pick) {
    const Curve curve =
        combine({&offset, &rotation, &scale}, components, kUvTolerance,
                [&](float time, std::span<float> values) { pick(transform_at(time), values); });
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i]->texture != kNone && infos[i]->transform) {
        animation_.add_pointer(
            path_ + std::string(kTexturePaths[i]) + "/extensions/KHR_texture_transform/" + std::string(name),
            curve);
      }
    }
  };
  // The offset depends on all three, because the game turns and scales about the middle.
  add("offset", 2, [](const TextureTransform& at, std::span<float> values) {
    std::copy(at.offset.begin(), at.offset.end(), values.begin());
  });
  if (rotation.curve != nullptr || rotation.expected) {
    add("rotation", 1, [](const TextureTransform& at, std::span<float> values) { values[0] = at.rotation; });
  }
  if (rotation.curve != nullptr || rotation.expected || scale.curve != nullptr || scale.expected) {
    add("scale", 2, [](const TextureTransform& at, std::span<float> values) {
      std::copy(at.scale.begin(), at.scale.end(), values.begin());
    });
  }
}

void add_light(Export& out, std::size_t clip, Index index, AnimationBuilder& animation) {
  const scene::Light& light = out.scene.lights[index];
  const Target target{Target::Kind::light, index, 0};
  const std::string path = "/extensions/KHR_lights_punctual/lights/" + std::to_string(out.lights[index]);
  const Playing color(out.channels, clip, target, Property::light_color);
  animation.add_pointer(path + "/color",
                        combine({&color}, 3, kColorTolerance, [&](float time, std::span<float> values) {
                          const Vec3 rgb = color.vector(time, light.color, light.color);
                          std::transform(rgb.begin(), rgb.end(), values.begin(), linear);
                        }));
  const Playing intensity(out.channels, clip, target, Property::light_intensity);
  const float tolerance = physical_intensity(light, 1) / 256;
  animation.add_pointer(
      path + "/intensity", combine({&intensity}, 1, tolerance, [&](float time, std::span<float> values) {
        values[0] = physical_intensity(light, intensity.scalar(time, light.intensity, light.intensity));
      }));
}

}  // namespace

void add_pointers(Export& out, std::size_t clip, AnimationBuilder& animation) {
  for (const auto& material : out.materials.animated()) {
    if (!out.budget.spend(kChannelCost)) {
      return;
    }
    MaterialPointers(out, clip, animation, material).add();
  }
  for (Index light = 0; light < out.lights.size(); ++light) {
    if (out.lights[light] != kNone && out.budget.spend(kChannelCost)) {
      add_light(out, clip, light, animation);
    }
  }
}

}  // namespace thaw::gltf
