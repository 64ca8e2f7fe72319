#include "gltf/materials.hpp"

#include "bytes/text.hpp"
#include "gltf/extras_description.hpp"
#include "gltf/surface.hpp"

#include "scene/game_rules.hpp"
#include "scene/math.hpp"

#include <algorithm>

namespace thaw::gltf {
namespace {

using scene::BlendMode;
using scene::Layer;

/// Meshes repeat their last UV set for layers that request more, so there must be an end.
constexpr unsigned kLastUvSet = 7;
/// Layers of a material that are drawn; games have up to six.
constexpr std::size_t kMaxPasses = 32;

bool is_base(BlendMode mode) { return mode == BlendMode::opaque || mode == BlendMode::mask; }
bool is_light(BlendMode mode) { return mode == BlendMode::additive || mode == BlendMode::add_alpha; }
bool is_filter(BlendMode mode) { return mode == BlendMode::modulate || mode == BlendMode::modulate2x; }

/// Layers that become one pass. Their blend modes as one: that of the first.
struct Pass {
  std::vector<Index> layers;
  std::vector<Index> light;  ///< added to a lit base as its emission
};

/// Decides which layers of one material are drawn together, and makes their glTF materials.
class Stack {
 public:
  Stack(const scene::Scene& scene, const Channels& channels, Pictures& pictures, Index material, bool rich)
      : scene_(scene),
        channels_(channels),
        pictures_(pictures),
        index_(material),
        material_(scene.materials[material]),
        rich_(rich) {}

  std::vector<Draw> draws();

 private:
  [[nodiscard]] const Layer& layer(Index index) const { return material_.layers[index]; }
  [[nodiscard]] Target target(Index index) const { return {Target::Kind::layer, index_, index}; }
  [[nodiscard]] float alpha(Index index) const {
    return channels_.typical_alpha(target(index), Property::layer_alpha, layer(index).alpha);
  }
  [[nodiscard]] Index image_of(Index texture) const { return pictures_.image_of(texture, variant_); }
  [[nodiscard]] Index image(Index index) const { return image_of(layer(index).texture); }
  [[nodiscard]] bool uniform(Index index) {
    return image(index) == kNone || pictures_.is_uniform(image(index));
  }
  /// Animated in a way that only a pass of its own can show.
  [[nodiscard]] bool pointed_alpha(Index index) const {
    return rich_ && channels_.any(target(index), Property::layer_alpha);
  }
  [[nodiscard]] bool pointed_uv(Index index) const;

  [[nodiscard]] std::vector<Index> visible_layers() const;
  void add_layer(Index index);
  [[nodiscard]] bool same_uvs(Index a, Index b) const;
  [[nodiscard]] bool joins(const Pass& pass, Index index);
  [[nodiscard]] bool lights(const Pass& pass, Index index);

  /// Without `color` the recipe of the base colour follows from the layers.
  [[nodiscard]] Draw make(const Pass& pass, const std::optional<Recipe>& color = {});
  [[nodiscard]] Draw make_layers(const Pass& pass, const std::optional<Recipe>& color);
  [[nodiscard]] Draw make_physical(Index index, const std::optional<Recipe>& stated);
  [[nodiscard]] Index varied(Index index) const;
  [[nodiscard]] std::vector<Draw> make_varied(const Pass& pass);
  [[nodiscard]] std::optional<std::pair<Recipe, Recipe>> split(const Pass& pass);
  [[nodiscard]] Vec4 team_color(Index texture) const;
  [[nodiscard]] TextureInfo info(const Recipe& recipe, Index index);
  [[nodiscard]] Recipe recipe(const Pass& pass) const;
  [[nodiscard]] Recipe::Step step(Index index) const {
    return {image(index), layer(index).blend, alpha(index)};
  }
  /// The picture of a slot of a physically based layer; kNone also for placeholders, which would be wrong
  /// as anything but a colour.
  [[nodiscard]] Index slot(Index texture) const;
  static void set_blend(Material& material, BlendMode mode);

  const scene::Scene& scene_;
  const Channels& channels_;
  Pictures& pictures_;
  Index index_;
  const scene::Material& material_;
  bool rich_;
  const scene::ImageVariant* variant_ = nullptr;  ///< whose pictures are used
  std::vector<Pass> passes_;
};

bool Stack::pointed_uv(Index index) const {
  const Index animation = layer(index).uv_animation;
  if (!rich_ || animation >= scene_.uv_animations.size()) {
    return false;
  }
  const Target uv{Target::Kind::uv_animation, animation, 0};
  return channels_.any(uv, Property::uv_offset) || channels_.any(uv, Property::uv_rotation) ||
         channels_.any(uv, Property::uv_scale);
}

/// At most kMaxPasses layers that are seen when the model is shown, or that can become visible. If none is,
/// the first.
std::vector<Index> Stack::visible_layers() const {
  std::vector<Index> seen;
  std::vector<Index> fallback;
  for (Index i = 0; i < material_.layers.size(); ++i) {
    const bool shown =
        channels_.initial(target(i), Property::layer_alpha, layer(i).alpha) > scene::kInvisible;
    const bool can_show = alpha(i) > scene::kInvisible;
    const Index picture = image(i);
    const bool misleading = layer(i).sphere_map || (picture != kNone && pictures_.is_placeholder(picture) &&
                                                    (is_light(layer(i).blend) || is_filter(layer(i).blend)));
    if ((shown || (can_show && pointed_alpha(i))) && !misleading && seen.size() < kMaxPasses) {
      seen.push_back(i);
    } else if (can_show && fallback.empty()) {
      fallback.push_back(i);
    }
  }
  return seen.empty() ? fallback : seen;
}

scene::UvTransform rest_of(const scene::Scene& scene, const Layer& layer) {
  return layer.uv_animation < scene.uv_animations.size() ? scene.uv_animations[layer.uv_animation].rest
                                                         : scene::UvTransform{};
}

bool Stack::same_uvs(Index a, Index b) const {
  const Layer& one = layer(a);
  const Layer& other = layer(b);
  const auto wraps = [&](const Layer& of) {
    const auto& texture = scene_.textures[of.texture];
    return std::pair(texture.wrap_u, texture.wrap_v);
  };
  return one.uv_set == other.uv_set && rest_of(scene_, one) == rest_of(scene_, other) &&
         wraps(one) == wraps(other) && !pointed_uv(a) && !pointed_uv(b);
}

/// True if the layer can be baked into the picture of the pass.
bool Stack::joins(const Pass& pass, Index index) {
  const Index first = pass.layers.front();
  if (image(index) == kNone || image(first) == kNone || pointed_alpha(index) || pointed_alpha(first) ||
      layer(first).physically_based || layer(index).physically_based || !pass.light.empty()) {
    return false;
  }
  const BlendMode under = layer(first).blend;
  const BlendMode over = layer(index).blend;
  const bool modes_join = is_base(under) || (under == BlendMode::blend && over == BlendMode::blend) ||
                          (is_light(under) && is_light(over));
  // Light on a lit base is emission; baked into its colour it would be shaded.
  const bool shading_joins = layer(first).unshaded == layer(index).unshaded || !is_light(over);
  if (!modes_join || !shading_joins) {
    return false;
  }
  return std::all_of(pass.layers.begin(), pass.layers.end(),
                     [&](Index other) { return uniform(other) || uniform(index) || same_uvs(other, index); });
}

/// True if the layer can be the emission of the pass.
bool Stack::lights(const Pass& pass, Index index) {
  const Index first = pass.layers.front();
  if (!is_light(layer(index).blend) || !is_base(layer(first).blend) || layer(first).unshaded ||
      layer(first).physically_based || layer(index).physically_based || image(index) == kNone ||
      pointed_alpha(index) || pointed_uv(index)) {
    return false;
  }
  return std::all_of(pass.light.begin(), pass.light.end(),
                     [&](Index other) { return uniform(other) || uniform(index) || same_uvs(other, index); });
}

void Stack::add_layer(Index index) {
  if (!passes_.empty() && joins(passes_.back(), index)) {
    passes_.back().layers.push_back(index);
  } else if (!passes_.empty() && lights(passes_.back(), index)) {
    passes_.back().light.push_back(index);
  } else {
    passes_.push_back({{index}, {}});
  }
}

std::vector<Draw> Stack::draws() {
  for (const Index index : visible_layers()) {
    add_layer(index);
  }
  std::vector<Draw> result;
  result.reserve(passes_.size());
  for (const Pass& pass : passes_) {
    auto passes = make_varied(pass);
    std::move(passes.begin(), passes.end(), std::back_inserter(result));
  }
  if (result.empty()) {
    // Nothing of it is ever drawn.
    Draw draw;
    draw.material.alpha_mode = AlphaMode::blend;
    draw.material.base_color[3] = 0;
    result.push_back(std::move(draw));
  }
  return result;
}

void Stack::set_blend(Material& material, BlendMode mode) {
  if (mode == BlendMode::mask) {
    material.alpha_mode = AlphaMode::mask;
    material.alpha_cutoff = scene::kKeyCutoff;
  } else if (mode != BlendMode::opaque) {
    material.alpha_mode = AlphaMode::blend;
  }
}

Recipe Stack::recipe(const Pass& pass) const {
  Recipe recipe;
  for (const Index index : pass.layers) {
    recipe.steps.push_back(step(index));
  }
  const BlendMode mode = recipe.steps.front().mode;
  const bool single = recipe.steps.size() == 1;
  if (is_light(mode)) {
    recipe.kind = Recipe::Kind::glow;
  } else if (is_filter(mode)) {
    recipe.kind = Recipe::Kind::filter;
  } else {
    recipe.kind = single ? Recipe::Kind::plain : Recipe::Kind::stack;
  }
  if (single) {
    // The opacity is a factor of the material; equal pictures are stored once.
    recipe.steps.front().alpha = 1;
    if (!is_filter(mode)) {
      recipe.steps.front().mode = BlendMode::opaque;
    }
  }
  return recipe;
}

TextureInfo Stack::info(const Recipe& recipe, Index index) {
  TextureInfo info;
  const Layer& from = layer(index);
  // A layer without colours may have other pictures.
  const std::array slots = {from.texture, from.orm, from.normal, from.emissive};
  const auto* shown = std::find_if(slots.begin(), slots.end(),
                                   [&](Index texture) { return texture < scene_.textures.size(); });
  const scene::Texture texture = shown == slots.end() ? scene::Texture() : scene_.textures[*shown];
  info.texture = pictures_.texture(recipe, texture.wrap_u, texture.wrap_v);
  info.uv_set = std::min(from.uv_set, kLastUvSet);
  const auto transform = to_texture_transform(rest_of(scene_, from));
  if (pointed_uv(index) || !(transform == TextureTransform{})) {
    info.transform = transform;
  }
  return info;
}

/// The texture of a layer that is not the same in all variants; kNone if there is none.
Index Stack::varied(Index index) const {
  const std::array slots = {layer(index).texture, layer(index).team_color};
  const auto differs = [&](Index texture) {
    return std::any_of(scene_.variants.begin(), scene_.variants.end(), [&](const auto& variant) {
      return pictures_.image_of(texture, &variant) != pictures_.image_of(texture);
    });
  };
  const auto* found = std::find_if(slots.begin(), slots.end(), differs);
  return found == slots.end() ? kNone : *found;
}

/// Recipes of two draws instead of one picture for each player: what has the team's colour, and over it a
/// picture for that colour alone. None where a colour is no plain one, or where the two would not look alike.
std::optional<std::pair<Recipe, Recipe>> Stack::split(const Pass& pass) {
  const Index first = pass.layers.front();
  const Index team = varied(first);
  const auto is_plain = [&](const auto& variant) {
    return pictures_.is_uniform(pictures_.image_of(team, &variant));
  };
  const auto varies = [&](Index index) { return varied(index) != kNone; };
  if (team == kNone || std::any_of(pass.light.begin(), pass.light.end(), varies) ||
      !std::all_of(scene_.variants.begin(), scene_.variants.end(), is_plain)) {
    return std::nullopt;
  }
  if (layer(first).physically_based) {
    const Recipe::Step color = {image(first), layer(first).blend, 1};
    const Index orm = slot(layer(first).orm);
    return is_base(layer(first).blend) && team != layer(first).texture && color.image != kNone && orm != kNone
               ? std::optional(std::pair(Recipe{Recipe::Kind::plain, {{color.image, BlendMode::opaque, 1}}},
                                         Recipe{Recipe::Kind::share, {color, {orm, BlendMode::opaque, 1}}}))
               : std::nullopt;
  }
  const bool shines_through = pass.layers.size() == 2 && layer(first).blend == BlendMode::opaque &&
                              layer(pass.layers[1]).blend == BlendMode::blend && !varies(pass.layers[1]);
  if (!shines_through) {
    return std::nullopt;
  }
  const Recipe::Step over = {image(pass.layers[1]), BlendMode::opaque, 1};
  return std::pair(Recipe{Recipe::Kind::opaque, {over}},
                   Recipe{Recipe::Kind::below, {{over.image, over.mode, alpha(pass.layers[1])}}});
}

Vec4 Stack::team_color(Index texture) const {
  const auto& rgba = pictures_.pixels(image_of(texture)).rgba;
  Vec4 color{1, 1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    color.at(i) = static_cast<float>(scene::srgb_to_linear(rgba[i] / 255.0));
  }
  return color;
}

std::vector<Draw> Stack::make_varied(const Pass& pass) {
  const auto varies = [&](Index index) { return varied(index) != kNone; };
  const bool any = std::any_of(pass.layers.begin(), pass.layers.end(), varies) ||
                   std::any_of(pass.light.begin(), pass.light.end(), varies);
  const auto parts = any ? split(pass) : std::nullopt;
  std::vector<Draw> result = {make(pass, parts ? std::optional(parts->first) : std::nullopt)};
  if (parts) {
    result.push_back(make(pass, parts->second));
    result.back().is_team_color = true;
    result.back().layers.clear();  // of the draw below, which stands for both
    result.back().pointer_layer = kNone;
    set_blend(result.back().material, BlendMode::blend);
    result.back().material.base_color = team_color(varied(pass.layers.front()));
  }
  for (std::size_t i = 0; any && i < scene_.variants.size(); ++i) {
    variant_ = &scene_.variants[i];
    Draw& draw = result.back();
    Material& material = draw.variants.emplace_back(parts ? draw.material : make(pass).material);
    if (parts) {
      material.base_color = team_color(varied(pass.layers.front()));
    }
  }
  variant_ = nullptr;
  return result;
}

Draw Stack::make(const Pass& pass, const std::optional<Recipe>& color) {
  const Index first = pass.layers.front();
  return layer(first).physically_based ? make_physical(first, color) : make_layers(pass, color);
}

Draw Stack::make_layers(const Pass& pass, const std::optional<Recipe>& color) {
  const Index first = pass.layers.front();
  Draw draw;
  draw.layers = pass.layers;
  Material& material = draw.material;
  set_blend(material, layer(first).blend);
  if (pass.layers.size() == 1) {
    draw.pointer_layer = first;
    // What is not blended has no opacity: a factor could only push it below the cutoff.
    material.base_color[3] = material.alpha_mode == AlphaMode::blend ? alpha(first) : 1;
  }
  for (const Index index : pass.layers) {
    material.double_sided = material.double_sided || layer(index).two_sided;
  }
  material.unlit =
      std::all_of(pass.layers.begin(), pass.layers.end(), [&](Index index) { return layer(index).unshaded; });
  if (image(first) != kNone) {
    // A picture of one colour has no UVs of its own.
    const auto shaped =
        std::find_if(pass.layers.begin(), pass.layers.end(), [&](Index index) { return !uniform(index); });
    material.base_color_texture =
        info(color ? *color : recipe(pass), shaped == pass.layers.end() ? first : *shaped);
  }
  if (!pass.light.empty()) {
    Recipe light;
    light.kind = Recipe::Kind::light;
    for (const Index index : pass.light) {
      light.steps.push_back(step(index));
      draw.layers.push_back(index);
    }
    material.emissive_texture = info(light, pass.light.front());
    material.emissive = {1, 1, 1};
  }
  return draw;
}

Index Stack::slot(Index texture) const {
  const Index image = pictures_.image_of(texture);
  return image == kNone || pictures_.is_placeholder(image) ? kNone : image;
}

/// See warcraft3-rendering.md#physically-based-layers.
Draw Stack::make_physical(Index index, const std::optional<Recipe>& stated) {
  const Layer& from = layer(index);
  Draw draw;
  draw.layers = {index};
  draw.pointer_layer = index;
  Material& material = draw.material;
  set_blend(material, from.blend);
  material.double_sided = from.two_sided;
  material.unlit = from.unshaded;
  material.base_color[3] = material.alpha_mode == AlphaMode::blend ? alpha(index) : 1;
  const auto single = [](Recipe::Kind kind, Index picture) {
    return Recipe{kind, {{picture, BlendMode::opaque, 1}}};
  };
  const Index orm = slot(from.orm);
  if (const Index diffuse = pictures_.image_of(from.texture); diffuse != kNone) {
    Recipe color = single(is_light(from.blend) ? Recipe::Kind::glow : Recipe::Kind::plain, diffuse);
    if (const Index team = image_of(from.team_color);
        team != kNone && orm != kNone && color.kind == Recipe::Kind::plain) {
      color = {Recipe::Kind::team,
               {{diffuse, BlendMode::opaque, 1}, {team, BlendMode::opaque, 1}, {orm, BlendMode::opaque, 1}}};
    }
    material.base_color_texture = info(stated ? *stated : color, index);
  }
  if (orm != kNone) {
    material.metallic_roughness_texture = info(single(Recipe::Kind::opaque, orm), index);
    material.occlusion_texture = material.metallic_roughness_texture;
    material.metallic = 1;
  }
  if (const Index normal = slot(from.normal); normal != kNone && !pictures_.is_uniform(normal)) {
    material.normal_texture = info(single(Recipe::Kind::normals, normal), index);
  }
  if (const Index emissive = slot(from.emissive); emissive != kNone && from.emissive_gain > 0) {
    const auto& pixels = pictures_.pixels(emissive).rgba;
    const bool black = pictures_.is_uniform(emissive) && pixels[0] == 0 && pixels[1] == 0 && pixels[2] == 0;
    if (!black) {
      const float gain = std::isfinite(from.emissive_gain) ? from.emissive_gain : 1;
      const float factor = std::min(gain, 1.0F);
      material.emissive_texture = info(single(Recipe::Kind::opaque, emissive), index);
      material.emissive = {factor, factor, factor};
      material.emissive_strength = std::max(gain, 1.0F);
    }
  }
  return draw;
}

bool approximated(const scene::Material& material) {
  return std::any_of(material.layers.begin(), material.layers.end(), [](const Layer& layer) {
    return is_light(layer.blend) || is_filter(layer.blend) || layer.sphere_map;
  });
}

}  // namespace

TextureTransform to_texture_transform(const scene::UvTransform& transform) {
  if (transform == scene::UvTransform{}) {
    return {};
  }
  // uv' = S·R·(uv + o − c) + c with the scene's R turning U towards V; glTF's turns V towards U and comes
  // after its scale. One matrix A = S·R, taken apart again.
  const double sine = scene::sine(transform.rotation);
  const double cosine = scene::cosine(transform.rotation);
  const double su = transform.scale[0];
  const double sv = transform.scale[1];
  const std::array<double, 4> a = {su * cosine, -su * sine, sv * sine, sv * cosine};  // row by row
  constexpr double kCenter = 0.5;
  const double x = double{transform.offset[0]} - kCenter;
  const double y = double{transform.offset[1]} - kCenter;
  TextureTransform result;
  result.offset = {static_cast<float>(a[0] * x + a[1] * y + kCenter),
                   static_cast<float>(a[2] * x + a[3] * y + kCenter)};
  if (sine == 0 && cosine > 0) {
    result.scale = transform.scale;
    return result;
  }
  const double length = std::sqrt(a[0] * a[0] + a[2] * a[2]);
  result.rotation = static_cast<float>(-scene::arc_tangent(a[2], a[0]));
  result.scale = {static_cast<float>(length),
                  static_cast<float>(length > 0 ? (a[0] * a[3] - a[1] * a[2]) / length : sv)};
  return result;
}

namespace {

/// At rest, or in a clip.
bool has_rim(const scene::Scene& scene, Index material) {
  const auto& layers = scene.materials[material].layers;
  const auto shows = [](const Layer& layer) { return layer.physically_based && layer.fresnel_opacity != 0; };
  const auto moves = [&](const scene::Channel& channel) {
    return channel.property == scene::Property::layer_fresnel_opacity && channel.target.index == material;
  };
  return std::any_of(layers.begin(), layers.end(), shows) ||
         std::any_of(scene.clips.begin(), scene.clips.end(), [&](const scene::Clip& clip) {
           return std::any_of(clip.channels.begin(), clip.channels.end(), moves);
         });
}

}  // namespace

const std::vector<Draw>& Materials::draws(Index material) {
  const Index known = material < scene_.materials.size() ? material : kNone;
  const auto found = draws_.find(known);
  if (found != draws_.end()) {
    return found->second;
  }
  return draws_.emplace(known, make_draws(known)).first->second;
}

std::vector<Draw> Materials::make_draws(Index material) {
  if (material == kNone || scene_.materials[material].layers.empty()) {
    return {Draw{}};
  }
  if (approximated(scene_.materials[material])) {
    diagnostics_.add(codes::kSceneApproximated, "blend mode approximated (glTF has no equivalent)", {},
                     "materials[" + std::to_string(material) + "]");
  }
  if (has_rim(scene_, material)) {
    diagnostics_.add(codes::kSceneApproximated, "fresnel rim stored in extras (glTF has no equivalent)", {},
                     "materials[" + std::to_string(material) + "]");
  }
  return Stack(scene_, channels_, pictures_, material, rich_).draws();
}

Value Materials::surface_of(const Material& material) const {
  Surface surface;
  surface.mode = alpha_mode_name(material.alpha_mode);
  surface.two_sided = material.double_sided;
  surface.unlit = material.unlit;
  surface.color = material.base_color;
  if (const Index texture = material.base_color_texture.texture; texture < document_.textures.size()) {
    surface.picture = without_extension(document_.images[document_.textures[texture].image].name);
  }
  FieldWriter fields({});
  describe(fields, surface);
  return fields.take();
}

Index Materials::add(Index material, std::size_t draw, const Tint& tint) {
  const Index known = material < scene_.materials.size() ? material : kNone;
  const auto [entry, fresh] =
      added_.emplace(std::tuple{known, draw, tint}, static_cast<Index>(document_.materials.size()));
  if (!fresh) {
    return entry->second;
  }
  const Draw& source = draws(known)[draw];
  const std::string name = known != kNone ? scene_.materials[known].name : std::string();
  const Index added = entry->second = push(source.material, name, known, source, tint);
  if (!source.variants.empty() && document_.variants.empty()) {
    for (const auto& variant : scene_.variants) {
      document_.variants.push_back(variant.name);
    }
  }
  for (std::size_t i = 0; i < source.variants.size(); ++i) {
    const std::string variant = name + " " + scene_.variants[i].name;
    variants_[added].push_back(push(source.variants[i], variant, known, source, tint));
  }
  return added;
}

Index Materials::push(Material result, const std::string& name, Index known, const Draw& source,
                      const Tint& tint) {
  const bool blended = result.alpha_mode == AlphaMode::blend && !source.is_team_color;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto linear = static_cast<float>(scene::srgb_to_linear(double{tint.color[i]}));
    result.base_color[i] *= std::clamp(linear, 0.0F, 1.0F);
  }
  result.base_color[3] *= blended ? tint.alpha : 1;
  if (known != kNone) {
    result.extras.set("material", known);
    Value layers{Value::List{}};
    for (const Index layer : source.layers) {
      layers.push(layer);
    }
    if (!layers.empty()) {
      result.extras.set("blend", blend_name(scene_.materials[known].layers[source.layers.front()].blend));
      result.extras.set("layers", std::move(layers));
      result.extras.set("surface", surface_of(result));
    }
  }
  result.name = names_.add(name, "material");
  const auto index = static_cast<Index>(document_.materials.size());
  document_.materials.push_back(std::move(result));
  if (rich_ && source.pointer_layer != kNone) {
    animated_.push_back({index, known, source.pointer_layer, tint});
  }
  return index;
}

}  // namespace thaw::gltf
