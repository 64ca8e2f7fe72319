// Textures, materials and texture animations (mdx.md#textures, mdx.md#materials,
// mdx.md#texture-animations).
#include "formats/warcraft/mdx/from_scene/conventions.hpp"
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "formats/warcraft/mdx/map_folder.hpp"
#include "formats/warcraft/mdx/shaders.hpp"
#include "scene/embedded_images.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr std::string_view kWhite = "Textures\\white.blp";

FilterMode filter_mode(scene::BlendMode mode) {
  switch (mode) {
    case scene::BlendMode::opaque:
      return FilterMode::none;
    case scene::BlendMode::mask:
      return FilterMode::transparent;
    case scene::BlendMode::blend:
      return FilterMode::blend;
    case scene::BlendMode::additive:
      return FilterMode::additive;
    case scene::BlendMode::add_alpha:
      return FilterMode::add_alpha;
    case scene::BlendMode::modulate:
      return FilterMode::modulate;
    case scene::BlendMode::modulate2x:
      return FilterMode::modulate2x;
  }
  return FilterMode::none;
}

class MaterialBuilder {
 public:
  explicit MaterialBuilder(ModelBuilder& builder) : builder_(builder), scene_(builder.scene) {}

  void make();

 private:
  void add_textures();
  [[nodiscard]] std::vector<bool> shown_textures() const;
  void name_picture(Index texture, Texture& output);
  void add_map_picture(Index texture);
  std::int32_t white();
  void add_uv_animations();
  Material material(Index index);
  Layer layer(Index material, Index number);
  void add_fresnel(Layer& layer, const Value& extras, const Target& target);
  [[nodiscard]] bool default_requested() const;
  std::int32_t texture(Index index);
  std::int32_t slot_texture(Index index, std::uint32_t slot);
  std::int32_t game_texture(std::string_view path, std::uint32_t replaceable);
  void add_slots(Layer& layer, const scene::Layer& source);
  void add_light(std::vector<Layer>& layers, const scene::Layer& source);
  void add_team_color(std::vector<Layer>& layers);

  ModelBuilder& builder_;
  const scene::Scene& scene_;
  scene::ImageFileNames names_;
  std::int32_t white_ = -1;
  std::map<std::pair<std::string, std::uint32_t>, std::int32_t> game_textures_;
  std::vector<std::int32_t> uv_ids_;  ///< by texture animation of the scene
};

/// Pictures embedded in the scene lie where the caller requests them, under names of their own.
void MaterialBuilder::name_picture(Index texture, Texture& output) {
  const std::string unique = names_.take(scene_, texture);
  const std::string ending = builder_.options.version < 900 ? ".blp" : ".dds";
  output.path = fixed<260>(builder_, builder_.options.texture_path + unique + ending);
  builder_.pictures.push_back({texture, builder_.options.texture_path + unique});
  if (!scene_.textures[texture].content) {
    builder_.pictures.back().image = scene_.images[scene_.textures[texture].image].image;
  }
}

/// What a map imports comes with it alone: its pictures lie next to the model, under the names it has for
/// them.
void MaterialBuilder::add_map_picture(Index texture) {
  const scene::Texture& source = scene_.textures[texture];
  if (in_map_folder(source.path)) {
    auto& picture = builder_.pictures.emplace_back(
        ModelPicture{texture, source.path.substr(0, source.path.find_last_of('.'))});
    if (!source.content) {
      picture.image = scene_.images[source.image].image;
    }
  }
}

/// Those that layers of the model, emitters or flip books will show.
std::vector<bool> MaterialBuilder::shown_textures() const {
  std::vector<bool> shown(scene_.textures.size());
  const auto show = [&](Index texture) {
    if (texture < shown.size()) {
      shown[texture] = true;
    }
  };
  for (const auto& material : scene_.materials) {
    for (const auto& layer : material.layers) {
      show(layer.texture);
      if (layer.physically_based || builder_.is_hd(layer)) {
        show(layer.emissive);
      }
      if (builder_.is_hd(layer)) {
        for (const Index slot : {layer.normal, layer.orm, layer.team_color, layer.environment}) {
          show(slot);
        }
      }
    }
  }
  for (const auto& emitter : scene_.emitters) {
    if (!scene::throws_picture(emitter)) {
      show(emitter.texture);
    }
  }
  for (const auto& [key, curves] : builder_.channels) {
    if (std::get<Property>(key) != Property::layer_texture) {
      continue;
    }
    for (const auto& [clip, curve] : curves) {
      for (const float value : curve->values) {
        show(value >= 0 && value < static_cast<float>(shown.size()) ? static_cast<Index>(value) : kNone);
      }
    }
  }
  return shown;
}

/// Pictures that nothing shows are left out, and those that model emitters name themselves; names of the game
/// keep their places.
void MaterialBuilder::add_textures() {
  const std::vector<bool> shown = shown_textures();
  std::vector<bool> thrown(scene_.textures.size());
  for (const auto& emitter : scene_.emitters) {
    if (scene::throws_picture(emitter) && emitter.texture < thrown.size()) {
      thrown[emitter.texture] = true;
    }
  }
  auto& items = chunk_of<Textures>(builder_.document, FourCC{"TEXS"}).items;
  for (Index i = 0; i < scene_.textures.size(); ++i) {
    const scene::Texture& source = scene_.textures[i];
    if ((is_embedded(scene_, i) || thrown[i]) && !shown[i]) {
      builder_.texture_ids.push_back(-1);
      add_map_picture(i);
      continue;
    }
    Texture texture;
    texture.replaceable_id = source.replaceable_id;
    texture.flags = (source.wrap_u ? Texture::kWrapWidth : 0) | (source.wrap_v ? Texture::kWrapHeight : 0);
    if (is_embedded(scene_, i)) {
      name_picture(i, texture);
    } else {
      texture.path = fixed<260>(builder_, source.path);
    }
    builder_.texture_ids.push_back(static_cast<std::int32_t>(items.size()));
    items.push_back(texture);
  }
}

std::int32_t MaterialBuilder::game_texture(std::string_view path, std::uint32_t replaceable) {
  auto& items = chunk_of<Textures>(builder_.document, FourCC{"TEXS"}).items;
  const auto [entry, fresh] =
      game_textures_.try_emplace({std::string(path), replaceable}, static_cast<std::int32_t>(items.size()));
  if (fresh) {
    Texture texture;
    texture.path = FixedText<260>(path);
    texture.replaceable_id = replaceable;
    items.push_back(texture);
  }
  return entry->second;
}

std::int32_t MaterialBuilder::white() {
  if (white_ < 0) {
    white_ = game_texture(kWhite, 0);
    builder_.add("the game's white texture added to materials without a texture");
  }
  return white_;
}

/// Of the slots after the diffuse one; where a scene says nothing, what the game has for it.
std::int32_t MaterialBuilder::slot_texture(Index index, std::uint32_t slot) {
  constexpr std::array<std::string_view, kPhysicalTextures> kUsual = {
      kWhite,
      "Textures/normal.blp",
      "Textures/ORM.blp",
      "Textures/Black32.blp",
      "",
      "ReplaceableTextures/EnvironmentMap.blp"};
  constexpr std::uint32_t kTeamSlot = 4;
  return index < builder_.texture_ids.size() ? builder_.texture_ids[index]
                                             : game_texture(kUsual.at(slot), slot == kTeamSlot ? 1 : 0);
}

std::int32_t MaterialBuilder::texture(Index index) {
  return index < builder_.texture_ids.size() ? builder_.texture_ids[index] : white();
}

void MaterialBuilder::add_uv_animations() {
  TextureAnimations animations;
  uv_ids_.assign(scene_.uv_animations.size(), -1);
  for (Index i = 0; i < scene_.uv_animations.size(); ++i) {
    const Target target{Target::Kind::uv_animation, i, 0};
    const scene::UvTransform& rest = scene_.uv_animations[i].rest;
    if (builder_.stands(i)) {
      continue;
    }
    uv_ids_[i] = static_cast<std::int32_t>(animations.items.size());
    auto& tracks = animations.items.emplace_back().tracks;
    TrackRule rule;
    rule.tolerance = double{builder_.options.tolerance};
    rule.tag = FourCC{"KTAT"};
    rule.convert = [](const Double4& v, bool) { return Double4{v[0], v[1], 0, 0}; };
    rule.rest = {double{rest.offset[0]}, double{rest.offset[1]}, 0, 0};
    builder_.add_track(tracks, builder_.track(target, Property::uv_offset, rule));
    rule.tag = FourCC{"KTAS"};
    rule.convert = [](const Double4& v, bool offset) { return Double4{v[0], v[1], offset ? 1.0 : 0.0, 0}; };
    rule.rest = {double{rest.scale[0]}, double{rest.scale[1]}, 0, 0};
    builder_.add_track(tracks, builder_.track(target, Property::uv_scale, rule));
    builder_.add_turns(tracks, target, rest.rotation);
  }
  if (!animations.items.empty()) {
    chunk_of<TextureAnimations>(builder_.document, FourCC{"TXAN"}) = std::move(animations);
  }
}

Layer MaterialBuilder::layer(Index material, Index number) {
  const scene::Layer& source = scene_.materials[material].layers[number];
  const Value& extras = ModelBuilder::mdx_extras(source);
  const Target target{Target::Kind::layer, material, number};
  Layer result;
  result.filter_mode = filter_mode(source.blend);
  const auto flag = [&](std::uint32_t bit, bool on) { result.shading_flags |= on ? bit : 0; };
  flag(Layer::kSphereEnvMap, source.sphere_map);
  flag(Layer::kTwoSided, source.two_sided);
  flag(Layer::kUnfogged, source.unfogged);
  flag(Layer::kNoDepthTest, source.no_depth_test);
  flag(Layer::kNoDepthSet, source.no_depth_write);
  constexpr std::uint32_t kUnsaid = ~std::uint32_t{0xFF};  // bits that a scene has no field for
  if (builder_.options.version >= 900) {
    result.shading_flags |= static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                                extras["shadingFlags"].integer().value_or(0), 0, 0xFFFFFFFF)) &
                            kUnsaid;
  }
  flag(Layer::kUnshaded, source.unshaded && (result.shading_flags & Layer::kUnlit) == 0);
  result.coord_id = source.uv_set;
  result.alpha = source.alpha;
  result.texture_animation_id = source.uv_animation < uv_ids_.size() ? uv_ids_[source.uv_animation] : -1;
  builder_.add_scalar(result.tracks, FourCC{"KMTA"}, target, Property::layer_alpha, source.alpha);
  TrackRule flipbook;
  flipbook.tag = FourCC{"KMTF"};
  flipbook.stepped = true;
  flipbook.convert = [&](const Double4& v, bool) {
    return Double4{double(texture(static_cast<Index>(std::max(0.0, v[0])))), 0, 0, 0};
  };
  flipbook.rest = {double(source.texture == kNone ? 0 : source.texture), 0, 0, 0};
  auto shown = builder_.track(target, Property::layer_texture, flipbook);
  const std::int32_t diffuse = texture(source.texture);
  if (builder_.options.version < 900) {
    result.texture_id = diffuse;
    builder_.add_track(result.tracks, std::move(shown));
    return result;
  }
  result.emissive_gain = source.emissive_gain;
  builder_.add_scalar(result.tracks, FourCC{"KMTE"}, target, Property::layer_emissive, source.emissive_gain);
  const bool hd = builder_.is_hd(source);
  const auto crystal = extras["shaderId"].integer() == std::int64_t{kShaderCrystal};
  result.shader_id = !hd ? kShaderLegacy : crystal ? kShaderCrystal : kShaderUnit;
  result.has_fresnel = true;
  add_fresnel(result, extras, target);
  result.slots.push_back({diffuse, 0, std::move(shown)});
  if (hd) {
    add_slots(result, source);
  }
  result.texture_id = 0;
  return result;
}

void MaterialBuilder::add_slots(Layer& layer, const scene::Layer& source) {
  std::uint32_t slot = 1;
  for (const Index further :
       {source.normal, source.orm, source.emissive, source.team_color, source.environment}) {
    layer.slots.push_back({slot_texture(further, slot), slot, std::nullopt});
    ++slot;
  }
  for (auto& picture : builder_.pictures) {
    picture.normals = picture.normals || picture.texture == source.normal;
  }
}

/// What shines is a layer of light over the others, where there is no slot for it.
void MaterialBuilder::add_light(std::vector<Layer>& layers, const scene::Layer& source) {
  if (!is_embedded(scene_, source.emissive)) {
    return;
  }
  Layer light = layers.back();
  light.filter_mode = FilterMode::additive;
  light.shading_flags |= Layer::kUnshaded;
  light.alpha = 1;
  light.tracks.clear();
  if (builder_.options.version < 900) {
    light.texture_id = texture(source.emissive);
  } else {
    light.slots.assign(1, {texture(source.emissive), 0, std::nullopt});
  }
  layers.push_back(std::move(light));
}

void MaterialBuilder::add_fresnel(Layer& layer, const Value& extras, const Target& target) {
  for (std::size_t i = 0; i < 3; ++i) {
    layer.fresnel_color.at(i) = static_cast<float>(extras["fresnelColor"][i].number().value_or(1));
  }
  layer.fresnel_opacity = static_cast<float>(extras["fresnelOpacity"].number().value_or(0));
  layer.fresnel_team_color = static_cast<float>(extras["fresnelTeamColor"].number().value_or(0));
  builder_.add_color(layer.tracks, FourCC{"KFC3"}, target, Property::layer_fresnel_color, layer.fresnel_color,
                     false);
  builder_.add_scalar(layer.tracks, FourCC{"KFCA"}, target, Property::layer_fresnel_opacity,
                      layer.fresnel_opacity);
  builder_.add_scalar(layer.tracks, FourCC{"KFTC"}, target, Property::layer_fresnel_team_color,
                      layer.fresnel_team_color);
}

/// Below a picture that lets it through.
void MaterialBuilder::add_team_color(std::vector<Layer>& layers) {
  constexpr std::uint32_t kTeamColor = 1;
  Layer below = layers.front();
  below.filter_mode = FilterMode::none;
  below.alpha = 1;
  below.tracks.clear();
  const std::int32_t texture = game_texture("", kTeamColor);
  if (builder_.options.version < 900) {
    below.texture_id = texture;
  } else {
    below.slots.assign(1, {texture, 0, std::nullopt});
  }
  layers.front().filter_mode = FilterMode::blend;
  layers.insert(layers.begin(), std::move(below));
}

Material MaterialBuilder::material(Index index) {
  const scene::Material& source = scene_.materials[index];
  Material result;
  result.priority_plane = source.draw_order;
  result.flags = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      ModelBuilder::mdx_extras(source)["flags"].integer().value_or(0), 0, 0xFFFFFFFF));
  const bool reduced = std::any_of(
      source.layers.begin(), source.layers.end(),
      [&](const scene::Layer& layer) { return layer.physically_based && !builder_.is_hd(layer); });
  if (reduced) {
    ++builder_.counted
          ["materials that lost their normal map, ORM map or team colour (they need --hd and "
           "version 900 or later)"];
  }
  for (Index i = 0; i < source.layers.size(); ++i) {
    result.layers.push_back(layer(index, i));
    if (source.layers[i].physically_based && !builder_.is_hd(source.layers[i])) {
      add_light(result.layers, source.layers[i]);
    }
  }
  const bool team = !result.layers.empty() && is_on(source.properties, "wc3_team_color");
  if (team && !builder_.is_hd(source.layers.front())) {
    add_team_color(result.layers);
  }
  if (result.layers.empty()) {
    Layer plain;
    plain.texture_id = builder_.options.version < 900 ? white() : 0;
    if (builder_.options.version >= 900) {
      plain.has_fresnel = true;
      plain.slots.push_back({white(), 0, std::nullopt});
    }
    result.layers.push_back(std::move(plain));
  }
  return result;
}

bool MaterialBuilder::default_requested() const {
  const auto none = [&](const scene::MeshPart& part) { return part.material >= scene_.materials.size(); };
  return std::any_of(scene_.meshes.begin(), scene_.meshes.end(), [&](const scene::Mesh& mesh) {
    return std::any_of(mesh.parts.begin(), mesh.parts.end(), none);
  });
}

void MaterialBuilder::make() {
  add_textures();
  add_uv_animations();
  Materials materials;
  for (Index i = 0; i < scene_.materials.size(); ++i) {
    materials.items.push_back(material(i));
  }
  if (default_requested()) {
    Material plain;
    Layer& layer = plain.layers.emplace_back();
    if (builder_.options.version < 900) {
      layer.texture_id = white();
    } else {
      layer.has_fresnel = true;
      layer.slots.push_back({white(), 0, std::nullopt});
    }
    materials.items.push_back(std::move(plain));
  }
  if (!materials.items.empty()) {
    chunk_of<Materials>(builder_.document, FourCC{"MTLS"}) = std::move(materials);
  }
}

}  // namespace

bool ModelBuilder::stands(Index uv_animation) const {
  if (uv_animation >= scene.uv_animations.size() ||
      scene.uv_animations[uv_animation].rest == scene::UvTransform{}) {
    return false;
  }
  const auto found = channels.lower_bound({Target::Kind::uv_animation, uv_animation, 0, Property{}});
  return found == channels.end() || std::get<0>(found->first) != Target::Kind::uv_animation ||
         std::get<1>(found->first) != uv_animation;
}

void make_materials(ModelBuilder& builder) { MaterialBuilder(builder).make(); }

}  // namespace thaw::mdx
