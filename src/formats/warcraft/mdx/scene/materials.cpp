// Textures, materials of both generations, texture animations (mdx.md#textures, mdx.md#materials,
// warcraft3-rendering.md#layers).
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using scene::Index;
using scene::kNone;
using scene::Property;
using scene::Target;

constexpr std::uint32_t kTeamColor = 1;  // replaceable id

/// One layer as it is drawn: below 1100 an HD material's six layers are one.
class LayerBuilder {
 public:
  LayerBuilder(SceneBuilder& builder, const ObjectRef& place, const Target& target, std::size_t uv_sets)
      : builder_(builder), place_(place), target_(target), uv_sets_(uv_sets) {}

  scene::Layer make(const Layer& layer);
  scene::Layer make_folded(const std::vector<Layer>& layers);
  /// mdx.md#materials: shading flag TwoSided of all layers of an HD material.
  bool material_two_sided = false;

 private:
  void take_common(const Layer& layer);
  void take_extras(const Layer& layer);
  void take_slots(const std::vector<TextureSlot>& slots);
  void set_slot(std::size_t slot, Index texture);
  void fill_empty_slots();
  void bind_tracks(const Layer& layer);
  void bind_flipbook(const Track* track, std::size_t slot);
  Index texture(std::int32_t id);

  SceneBuilder& builder_;
  ObjectRef place_;
  Target target_;
  std::size_t uv_sets_;
  scene::Layer result_;
};

Index LayerBuilder::texture(std::int32_t id) {
  if (id >= 0 && static_cast<std::size_t>(id) < builder_.document_textures) {
    return static_cast<Index>(id);
  }
  if (id != -1 || !builder_.dialect.texture_may_lack) {
    builder_.report(codes::kSceneReference, place_,
                    "texture " + std::to_string(id) + " does not exist; the layer gets none");
  }
  return kNone;
}

scene::BlendMode blend_mode(FilterMode mode) {
  switch (mode) {
    case FilterMode::none:
      return scene::BlendMode::opaque;
    case FilterMode::transparent:
      return scene::BlendMode::mask;
    case FilterMode::additive:
      return scene::BlendMode::additive;
    case FilterMode::add_alpha:
      return scene::BlendMode::add_alpha;
    case FilterMode::modulate:
      return scene::BlendMode::modulate;
    case FilterMode::modulate2x:
      return scene::BlendMode::modulate2x;
    case FilterMode::blend:
      break;
  }
  return scene::BlendMode::blend;  // unknown ones draw as Blend, too
}

void LayerBuilder::take_common(const Layer& layer) {
  const auto has = [&](std::uint32_t flag) { return (layer.shading_flags & flag) != 0; };
  if (layer.filter_mode > FilterMode::modulate2x) {
    builder_.report(codes::kSceneReference, place_,
                    "unknown filter mode " + std::to_string(static_cast<std::uint32_t>(layer.filter_mode)) +
                        "; drawn as Blend");
  }
  result_.blend = blend_mode(layer.filter_mode);
  result_.alpha = finite_or(layer.alpha, 1);
  result_.unshaded = has(Layer::kUnshaded) || has(Layer::kUnlit);
  result_.two_sided = has(Layer::kTwoSided) || material_two_sided;
  result_.unfogged = has(Layer::kUnfogged);
  result_.no_depth_test = has(Layer::kNoDepthTest);
  result_.no_depth_write = has(Layer::kNoDepthSet);
  result_.sphere_map = has(Layer::kSphereEnvMap);
  result_.emissive_gain = finite_or(layer.emissive_gain, 1);
  if (layer.has_fresnel) {
    result_.fresnel_color = finite_or(layer.fresnel_color, 1);
    result_.fresnel_opacity = finite_or(layer.fresnel_opacity, 0);
    result_.fresnel_team_color = finite_or(layer.fresnel_team_color, 0);
  }
  if (layer.coord_id < uv_sets_) {
    result_.uv_set = layer.coord_id;
  } else if (layer.coord_id != 0) {
    builder_.report(
        codes::kSceneReference, place_,
        "UV set " + std::to_string(layer.coord_id) + " does not exist in any geoset; set 0 is used");
  }
  const auto animation = static_cast<std::size_t>(layer.texture_animation_id);
  if (layer.texture_animation_id >= 0 && animation < builder_.scene.uv_animations.size()) {
    result_.uv_animation = static_cast<Index>(animation);
  } else if (layer.texture_animation_id != -1) {
    builder_.report(codes::kSceneReference, place_,
                    "texture animation " + std::to_string(layer.texture_animation_id) +
                        " does not exist; the layer gets none");
  }
}

void LayerBuilder::take_extras(const Layer& layer) {
  auto& extras = result_.extras;
  extras.set("filterMode", static_cast<std::uint32_t>(layer.filter_mode));
  extras.set("shadingFlags", layer.shading_flags);
  extras.set("coordId", layer.coord_id);
  const std::uint32_t version = builder_.document.version();
  if (layer.has_fresnel) {
    extras.set("fresnelColor", to_value(layer.fresnel_color));
    extras.set("fresnelOpacity", layer.fresnel_opacity);
    extras.set("fresnelTeamColor", layer.fresnel_team_color);
  }
  if (version >= 1100) {
    extras.set("shaderId", layer.shader_id);
    extras.set("legacyTextureId", std::int64_t{layer.texture_id});
    Value::List slots;
    for (const auto& slot : layer.slots) {
      Value entry;
      entry.set("slot", slot.slot);
      entry.set("textureId", std::int64_t{slot.texture_id});
      slots.push_back(std::move(entry));
    }
    extras.set("slots", std::move(slots));
  }
}

void LayerBuilder::set_slot(std::size_t slot, Index texture) {
  const std::array<Index*, kPhysicalTextures> places = {&result_.texture,    &result_.normal,
                                                        &result_.orm,        &result_.emissive,
                                                        &result_.team_color, &result_.environment};
  if (slot < places.size()) {
    *places.at(slot) = texture;
  }
}

void LayerBuilder::fill_empty_slots() {
  const auto fill = [&](Index& slot, std::string_view path) {
    if (slot == kNone) {
      slot = game_texture(builder_, path);
    }
  };
  fill(result_.normal, "Textures/normal.blp");
  fill(result_.orm, "Textures/ORM.blp");
  fill(result_.emissive, "Textures/Black32.blp");
  fill(result_.team_color, {});
  fill(result_.environment, "ReplaceableTextures/EnvironmentMap.blp");
}

void LayerBuilder::bind_flipbook(const Track* track, std::size_t slot) {
  if (track == nullptr) {
    return;
  }
  if (slot != 0) {
    // No channel is there for the others, and no published model has one.
    builder_.report(codes::kSceneApproximated, place_,
                    "the animated texture in slot " + std::to_string(slot) +
                        " does not change: only diffuse textures can be animated; preserved as extras");
    result_.extras.set("slot" + std::to_string(slot) + "Flipbook", to_value(*track));
    return;
  }
  Binding binding;
  binding.use.track = track;
  binding.use.conversion = Conversion::index;
  binding.use.limit = static_cast<std::uint32_t>(builder_.document_textures);
  binding.use.rest[0] = result_.texture == kNone ? 0 : static_cast<double>(result_.texture);
  binding.place = place_;
  binding.target = target_;
  binding.property = Property::layer_texture;
  if (binding.use.limit > 0) {
    builder_.add(binding);
  }
}

void LayerBuilder::bind_tracks(const Layer& layer) {
  const auto scalar = [&](FourCC tag, Property property, float rest) {
    builder_.bind_scalar(layer.tracks, tag, place_, target_, property, rest);
  };
  scalar(FourCC{"KMTA"}, Property::layer_alpha, result_.alpha);
  scalar(FourCC{"KMTE"}, Property::layer_emissive, result_.emissive_gain);
  builder_.bind_color(layer.tracks, FourCC{"KFC3"}, place_, target_, Property::layer_fresnel_color,
                      layer.fresnel_color, Conversion::color);
  scalar(FourCC{"KFCA"}, Property::layer_fresnel_opacity, layer.fresnel_opacity);
  scalar(FourCC{"KFTC"}, Property::layer_fresnel_team_color, layer.fresnel_team_color);
}

void LayerBuilder::take_slots(const std::vector<TextureSlot>& slots) {
  for (const auto& slot : slots) {
    if (slot.slot >= kPhysicalTextures) {
      builder_.report(codes::kSceneReference, place_,
                      "texture slot " + std::to_string(slot.slot) + " left out; slots go from 0 to 5");
      continue;
    }
    set_slot(slot.slot, texture(slot.texture_id));
    bind_flipbook(slot.flipbook ? &*slot.flipbook : nullptr, slot.slot);
  }
}

scene::Layer LayerBuilder::make(const Layer& layer) {
  take_common(layer);
  take_extras(layer);
  if (builder_.document.version() >= 1100) {
    result_.physically_based = is_physical(layer.shader_id);
    take_slots(layer.slots);
    if (result_.physically_based) {
      fill_empty_slots();
    }
  } else {
    result_.texture = texture(layer.texture_id);
    bind_flipbook(find_track(layer.tracks, FourCC{"KMTF"}), 0);
  }
  bind_tracks(layer);
  return std::move(result_);
}

scene::Layer LayerBuilder::make_folded(const std::vector<Layer>& layers) {
  const Layer& first = layers.front();
  take_common(first);
  take_extras(first);
  result_.physically_based = true;
  for (std::size_t slot = 0; slot < layers.size(); ++slot) {
    set_slot(slot, texture(layers[slot].texture_id));
    bind_flipbook(find_track(layers[slot].tracks, FourCC{"KMTF"}), slot);
  }
  fill_empty_slots();
  bind_tracks(first);
  return std::move(result_);
}

/// mdx.md#shaders: on load the game folds six layers of these shaders into one, and nothing else.
bool is_folded(const Document& document, const Material& material) {
  const std::uint32_t version = document.version();
  return version >= 900 && version < 1100 && material.layers.size() == kPhysicalTextures &&
         is_physical(shader_of(material.shader.view()));
}

bool is_hd(const Document& document, const Material& material) {
  const auto hd_layer = [](const Layer& layer) { return is_physical(layer.shader_id); };
  return is_folded(document, material) ||
         (document.version() >= 1100 &&
          std::any_of(material.layers.begin(), material.layers.end(), hd_layer));
}

scene::Material make_material(SceneBuilder& builder, const Material& material, std::size_t index,
                              std::size_t uv_sets) {
  const ObjectRef place = {FourCC{"MTLS"}, index};
  scene::Material result;
  result.name = "Material " + std::to_string(index);
  result.draw_order = material.priority_plane;
  result.extras.set("flags", material.flags);
  const std::uint32_t version = builder.document.version();
  if (version >= 900 && version < 1100) {
    result.extras.set("shader", to_value(material.shader));
  }
  const bool two_sided = is_hd(builder.document, material) && (material.flags & Material::kTwoSided) != 0;
  const auto layer_builder = [&](std::size_t layer) {
    LayerBuilder configured(
        builder, place, {Target::Kind::layer, static_cast<Index>(index), static_cast<Index>(layer)}, uv_sets);
    configured.material_two_sided = two_sided;
    return configured;
  };
  if (is_folded(builder.document, material)) {
    result.layers.push_back(layer_builder(0).make_folded(material.layers));
    return result;
  }
  for (std::size_t i = 0; i < material.layers.size(); ++i) {
    result.layers.push_back(layer_builder(i).make(material.layers[i]));
  }
  return result;
}

/// The most texture coordinate sets of the geosets that use each material.
std::vector<std::size_t> uv_sets_of_materials(const Document& document, std::size_t materials) {
  std::vector<std::size_t> sets(materials);
  for (const auto* geoset : document.all<Geosets>()) {
    const auto material = static_cast<std::size_t>(geoset->material_id);
    if (geoset->material_id >= 0 && material < materials) {
      sets[material] = std::max(sets[material], geoset->uv_sets.size());
    }
  }
  return sets;
}

}  // namespace

void build_textures(SceneBuilder& builder) {
  for (const auto* texture : builder.document.all<Textures>()) {
    scene::Texture result;
    result.path = to_utf8(texture->path.view());
    result.replaceable_id = texture->replaceable_id;
    result.wrap_u = (texture->flags & Texture::kWrapWidth) != 0;
    result.wrap_v = (texture->flags & Texture::kWrapHeight) != 0;
    builder.scene.textures.push_back(std::move(result));
  }
  builder.document_textures = builder.scene.textures.size();
}

Index game_texture(SceneBuilder& builder, std::string_view path) {
  auto& textures = builder.scene.textures;
  const auto added = textures.begin() + static_cast<std::ptrdiff_t>(builder.document_textures);
  const auto found = std::find_if(added, textures.end(),
                                  [&](const scene::Texture& texture) { return texture.path == path; });
  if (found != textures.end()) {
    return static_cast<Index>(found - textures.begin());
  }
  scene::Texture texture;
  texture.path = path;
  texture.replaceable_id = path.empty() ? kTeamColor : 0;
  textures.push_back(std::move(texture));
  return static_cast<Index>(textures.size() - 1);
}

void build_uv_animations(SceneBuilder& builder) {
  const auto animations = builder.document.all<TextureAnimations>();
  builder.scene.uv_animations.resize(animations.size());
  for (std::size_t i = 0; i < animations.size(); ++i) {
    const ObjectRef place = {FourCC{"TXAN"}, i};
    const auto& tracks = animations[i]->tracks;
    Binding binding;
    binding.target = {Target::Kind::uv_animation, static_cast<Index>(i), 0};
    binding.property = Property::uv_offset;
    binding.use.conversion = Conversion::uv;
    builder.bind(tracks, FourCC{"KTAT"}, place, binding);
    binding.property = Property::uv_scale;
    binding.use.rest = {1, 1, 0, 0};
    builder.bind(tracks, FourCC{"KTAS"}, place, binding);
    binding.property = Property::uv_rotation;
    binding.use.conversion = Conversion::uv_angle;
    binding.use.rest = {};
    builder.bind(tracks, FourCC{"KTAR"}, place, binding);
  }
}

void build_materials(SceneBuilder& builder) {
  const auto materials = builder.document.all<Materials>();
  const auto uv_sets = uv_sets_of_materials(builder.document, materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) {
    builder.scene.materials.push_back(make_material(builder, *materials[i], i, uv_sets[i]));
  }
}

}  // namespace thaw::mdx
