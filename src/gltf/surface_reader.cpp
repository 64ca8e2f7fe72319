// Surfaces, lights and cameras of other programs, in the terms of a scene: factors go into the pictures, and
// what a scene has one picture for becomes one.
#include "bytes/number_text.hpp"
#include "gltf/document.hpp"
#include "gltf/pixels.hpp"
#include "gltf/scene_reader.hpp"
#include "gltf/soundness.hpp"
#include "scene/game_rules.hpp"
#include "scene/math.hpp"

#include <thaw/image.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace thaw::gltf {

using scene::Index;
using scene::kNone;
using scene::to_float;

namespace {

constexpr std::size_t kChannels = 4;
/// Of a picture that shows one value.
constexpr std::uint32_t kPlainSide = 4;

thaw::Image plain(std::uint8_t value) {
  return {kPlainSide, kPlainSide, Bytes(std::size_t{kPlainSide} * kPlainSide * kChannels, value)};
}

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

/// Changes each pixel's four bytes.
template <class Change>
void each_pixel(thaw::Image& image, const Change& change) {
  for (std::size_t at = 0; at + kChannels <= image.rgba.size(); at += kChannels) {
    change(image.rgba.data() + at, at);
  }
}

double emissive_strength(const Value& material) {
  const Value* extension = member(member(&material, "extensions"), "KHR_materials_emissive_strength");
  return std::clamp(number(extension, "emissiveStrength", 1), 0.0, 1e6);
}

/// Alpha, so that what passes `from` passes the cutoff of a scene's mask.
std::uint8_t moved_cutoff(std::uint8_t alpha, double from) {
  constexpr double kTo = 255.0 * double{scene::kKeyCutoff};
  const double cut = from * 255;
  return alpha < cut ? to_byte(std::min(alpha / cut * kTo, std::floor(kTo)))
                     : to_byte(std::ceil(kTo + (alpha - cut) / std::max(255 - cut, 1.0) * (255 - kTo)));
}

/// A transform of glTF as a scene's: offset before turn before size, about the middle of the picture. Where
/// glTF's sizes differ by direction and turn, what is left is the nearest.
scene::UvTransform to_scene_transform(const Value& transform) {
  Vec2 offset{};
  Vec2 size{1, 1};
  numbers(&transform, "offset", offset);
  numbers(&transform, "scale", size);
  const double turn = number(&transform, "rotation", 0);
  const double cosine = scene::cosine(turn);
  const double sine = scene::sine(turn);
  const std::array<double, 4> a = {cosine * double{size[0]}, sine * double{size[1]}, -sine * double{size[0]},
                                   cosine * double{size[1]}};  // row by row
  scene::UvTransform result;
  result.rotation = sine == 0 && cosine > 0 ? 0 : to_float(scene::arc_tangent(-a[1], a[0]));
  const double result_cosine = scene::cosine(double{result.rotation});
  const bool along = std::abs(result_cosine) > 0.5;
  const double across = scene::sine(double{result.rotation});
  result.scale = {to_float(along ? a[0] / result_cosine : -a[1] / across),
                  to_float(along ? a[3] / result_cosine : a[2] / across)};
  const double determinant = a[0] * a[3] - a[1] * a[2];
  constexpr double kMiddle = 0.5;
  const double x = double{offset[0]} - kMiddle;
  const double y = double{offset[1]} - kMiddle;
  if (std::abs(determinant) > 1e-12) {
    result.offset = {to_float((a[3] * x - a[1] * y) / determinant + kMiddle),
                     to_float((a[0] * y - a[2] * x) / determinant + kMiddle)};
  }
  return result;
}

/// The inverse of physical_intensity: how bright, and from how far on it fades, in metres.
void take_intensity(const Value& source, bool directional, scene::Light& light) {
  const double physical = std::clamp(number(&source, "intensity", 1), 0.0, 1e12);
  light.intensity = to_float(physical / scene::kPi);
  if (directional) {
    return;
  }
  constexpr double kFarthest = 1000;  // metres
  constexpr double kFaded = 4;        // times as far, a sixteenth is left
  const double start = std::min(std::sqrt(physical / scene::kPi), kFarthest);
  const double range = number(&source, "range", 0);
  light.intensity = physical > 0 ? 1.0F : 0.0F;
  light.attenuation_start = to_float(range > 0 ? std::min(start, range / 2) : start);
  light.attenuation_end = to_float(range > 0 ? std::min(range, kFaded * kFarthest) : start * kFaded);
}

}  // namespace

// --- materials

/// The picture of a texture of a material, which the scene's texture of that number shows.
Index SceneReader::picture_of(const Value* use) {
  const Value* texture = input_.item("textures", index(use, "index"));
  const Index image = image_of(texture);
  if (image >= input_.count("images")) {
    return kNone;
  }
  // A picture that materials repeat differently goes by the last of them.
  const Value* sampler = input_.item("samplers", index(texture, "sampler"));
  scene_.textures[image].wrap_u = index(sampler, "wrapS") != kClampToEdge;
  scene_.textures[image].wrap_v = index(sampler, "wrapT") != kClampToEdge;
  return image;
}

std::optional<thaw::Image> SceneReader::pixels(Index texture) {
  if (texture >= scene_.textures.size() || scene_.textures[texture].content == nullptr) {
    return std::nullopt;
  }
  ReadOptions options;
  options.limits = input_.limits();
  options.control = control_;
  auto image = decode_texture(*scene_.textures[texture].content, options, diagnostics_);
  const bool room = image && input_.spend_pixels(image->rgba.size());
  if (!room) {
    diagnostics_.add(codes::kGltfReference,
                     image ? "image left out, because the images together exceed --max-pixels"
                           : "image left out: " + image.error().message,
                     {}, "images[" + std::to_string(texture) + "]");
    return std::nullopt;
  }
  return std::move(*image);
}

Index SceneReader::add_picture(thaw::Image image, std::string name, Index like) {
  scene::Texture texture;
  // What was made has no path; a model needs a name for its file.
  texture.path = input_.keeps_materials() ? name : std::string();
  texture.image = static_cast<Index>(scene_.images.size());
  texture.wrap_u = like == kNone || scene_.textures[like].wrap_u;
  texture.wrap_v = like == kNone || scene_.textures[like].wrap_v;
  std::string unique = std::move(name);
  unique += "#" + std::to_string(texture.image);  // pictures of a scene have names of their own
  scene_.images.push_back({std::move(unique), {}, std::move(image), false});
  scene_.textures.push_back(std::move(texture));
  return static_cast<Index>(scene_.textures.size() - 1);
}

/// Occlusion, roughness and metal in one picture, which has no team colour.
Index SceneReader::orm_of(const Value& material, const std::string& name) {
  const Value* surface = member(&material, "pbrMetallicRoughness");
  const Value* occlusion = member(&material, "occlusionTexture");
  const Index shadows = picture_of(occlusion);
  const Index metal = picture_of(member(surface, "metallicRoughnessTexture"));
  auto dark = pixels(shadows);
  auto rough = metal == shadows ? dark : pixels(metal);
  const double strength = std::clamp(number(occlusion, "strength", 1), 0.0, 1.0);
  const double roughness = std::clamp(number(surface, "roughnessFactor", 1), 0.0, 1.0);
  const double metallic = std::clamp(number(surface, "metallicFactor", 1), 0.0, 1.0);
  thaw::Image out = rough ? *rough : dark ? *dark : plain(255);
  if (dark && (dark->width != out.width || dark->height != out.height)) {
    dark = resized(*dark, out.width, out.height);
  }
  each_pixel(out, [&](std::uint8_t* pixel, std::size_t at) {
    pixel[0] = dark ? to_byte(255 - strength * (255 - dark->rgba[at])) : 255;
    pixel[1] = to_byte(roughness * (rough ? pixel[1] : 255));
    pixel[2] = to_byte(metallic * (rough ? pixel[2] : 255));
    pixel[3] = 0;
  });
  return add_picture(std::move(out), name + " ORM", rough ? metal : dark ? shadows : kNone);
}

/// What shines; none where nothing does.
Index SceneReader::emission_of(const Value& material, const std::string& name) {
  std::array<float, 3> factor{};
  numbers(&material, "emissiveFactor", factor);
  if (*std::max_element(factor.begin(), factor.end()) <= 0) {
    return kNone;
  }
  const Index texture = picture_of(member(&material, "emissiveTexture"));
  const bool whole = std::all_of(factor.begin(), factor.end(), [](float part) { return part >= 1; });
  if (texture != kNone && whole) {
    return texture;
  }
  auto image = pixels(texture);
  thaw::Image out = image ? std::move(*image) : plain(255);
  std::array<double, 3> stored{};
  std::transform(factor.begin(), factor.end(), stored.begin(),
                 [](float part) { return scene::linear_to_srgb(std::clamp(double{part}, 0.0, 1.0)); });
  each_pixel(out, [&](std::uint8_t* pixel, std::size_t) {
    for (std::size_t c = 0; c < stored.size(); ++c) {
      pixel[c] = to_byte(pixel[c] * stored.at(c));
    }
    pixel[3] = 255;
  });
  return add_picture(std::move(out), name + " emissive", image ? texture : kNone);
}

/// A scene's masks have one cutoff.
void SceneReader::settle_mask(const Value& material, const std::string& name, scene::Layer& layer) {
  const double opacity = std::max(double{layer.alpha}, 1.0 / 255);
  const double cutoff = std::clamp(number(&material, "alphaCutoff", 0.5) / opacity, 1.0 / 255, 1.0);
  layer.alpha = 1;
  if (layer.texture == kNone || std::abs(cutoff - double{scene::kKeyCutoff}) < 1e-3) {
    return;
  }
  if (auto image = pixels(layer.texture); image) {
    each_pixel(*image, [&](std::uint8_t* pixel, std::size_t) { pixel[3] = moved_cutoff(pixel[3], cutoff); });
    layer.texture = add_picture(std::move(*image), name + " mask", layer.texture);
  }
}

/// What glTF says of a surface in addition to its base colour.
void SceneReader::read_surface(const Value& source, scene::Material& material) {
  scene::Layer& layer = material.layers.front();
  const std::string name = material.name.empty() ? "material" : material.name;
  if (layer.blend == scene::BlendMode::mask) {
    settle_mask(source, name, layer);
  }
  const Value* transform =
      member(member(member(member(&source, "pbrMetallicRoughness"), "baseColorTexture"), "extensions"),
             "KHR_texture_transform");
  if (transform != nullptr) {
    layer.uv_animation = static_cast<Index>(scene_.uv_animations.size());
    scene_.uv_animations.push_back({to_scene_transform(*transform)});
  }
  const Value* surface = member(&source, "pbrMetallicRoughness");
  const auto has = [&](const Value* of, const char* key) { return member(of, key) != nullptr; };
  layer.physically_based =
      !layer.unshaded && (has(&source, "normalTexture") || has(&source, "occlusionTexture") ||
                          has(surface, "metallicRoughnessTexture") || has(surface, "metallicFactor") ||
                          has(surface, "roughnessFactor"));
  const Index shining = emission_of(source, name);
  // A layer of light over others wears the colours of the vertices, which emission does not.
  layer.physically_based =
      layer.physically_based || (!layer.unshaded && shining != kNone && !input_.keeps_materials());
  if (layer.physically_based) {
    layer.normal = picture_of(member(&source, "normalTexture"));
    layer.orm = orm_of(source, name);
    layer.emissive = shining;
    layer.emissive_gain = to_float(emissive_strength(source));
  } else if (shining != kNone) {
    scene::Layer light = layer;
    light.blend = scene::BlendMode::additive;
    light.texture = shining;
    light.alpha = to_float(std::min(emissive_strength(source), 1.0));
    brighter_ += emissive_strength(source) > 1 ? 1U : 0U;
    light.unshaded = true;
    material.layers.push_back(std::move(light));
  }
}

// --- lights and cameras

namespace {

/// Whether a node is one of these, or hangs there: exporters put lights and cameras into nodes of their own,
/// and others between those and what they stand for, which turn them.
bool is_below(const scene::Scene& scene, Index node, const std::set<Index>& known) {
  constexpr int kLevels = 3;
  for (int level = 0; level < kLevels && node != kNone; ++level) {
    if (known.contains(node)) {
      return true;
    }
    node = scene.nodes[node].parent;
  }
  return false;
}

}  // namespace

/// Lights of extras say more; what is added to them in another program comes from here.
void SceneReader::read_lights() {
  const auto& lights = list(member(member(&input_.json(), "extensions"), "KHR_lights_punctual"), "lights");
  std::set<Index> known;
  for (const auto& light : scene_.lights) {
    known.insert(light.node);
  }
  std::size_t spots = 0;
  for (Index source = 0; source < node_of_.size() && !lights.empty(); ++source) {
    const Value* use = member(member(input_.item("nodes", source), "extensions"), "KHR_lights_punctual");
    const Index number_of_light = index(use, "light");
    Index node = node_of_[source];
    if (number_of_light >= lights.size() || node == kNone) {
      continue;
    }
    if (is_below(scene_, node, known)) {
      scene_.nodes[node].kind = scene::NodeKind::light;  // no helper
      continue;
    }
    const Value& stated = lights[number_of_light];
    const std::string& type = text(&stated, "type");
    const bool directional = type == "directional";
    spots += type == "spot" ? 1U : 0U;
    scene::Light light;
    light.kind = directional ? scene::Light::Kind::directional : scene::Light::Kind::omni;
    std::array<float, 3> color{1, 1, 1};
    numbers(&stated, "color", color);
    std::transform(color.begin(), color.end(), light.color.begin(), [](float part) {
      return to_float(scene::linear_to_srgb(std::clamp(double{part}, 0.0, 1.0)));
    });
    take_intensity(stated, directional, light);
    if (directional) {
      // glTF's shine along −Z, those of a scene along −Y.
      scene::Node turned;
      turned.name = scene_.nodes[node].name;
      turned.parent = node;
      const float half = std::sqrt(0.5F);
      turned.rest.rotation = {half, 0, 0, half};
      node = static_cast<Index>(scene_.nodes.size());
      scene_.nodes.push_back(std::move(turned));
    }
    scene_.nodes[node].kind = scene::NodeKind::light;
    light.node = node;
    scene_.lights.push_back(light);
  }
  if (spots > 0) {
    diagnostics_.add(codes::kGltfUnsupported, counted(spots, "spot light") + " converted to point lights");
  }
}

void SceneReader::read_cameras() {
  std::set<Index> known;
  for (const auto& camera : scene_.cameras) {
    known.insert(camera.node);
  }
  std::size_t flat = 0;
  for (Index source = 0; source < node_of_.size(); ++source) {
    const Value* stated = input_.item("cameras", index(input_.item("nodes", source), "camera"));
    const Index node = node_of_[source];
    if (stated == nullptr || node == kNone) {
      continue;
    }
    if (is_below(scene_, node, known)) {
      scene_.nodes[node].kind = scene::NodeKind::camera;
      continue;
    }
    const Value* lens = member(stated, "perspective");
    if (lens == nullptr) {
      ++flat;
      continue;
    }
    // The game's is the diagonal of 4:3 (warcraft3-rendering.md#cameras).
    constexpr double kDiagonal = 5.0 / 3;
    constexpr double kFar = 100;  // metres, where a camera sees without end
    scene::Camera camera;
    camera.node = node;
    camera.name = text(stated, "name").empty() ? scene_.nodes[node].name : text(stated, "name");
    camera.field_of_view = to_float(std::clamp(number(lens, "yfov", 0.5) * kDiagonal, 0.01, 3.1));
    camera.near_clip = to_float(std::clamp(number(lens, "znear", 0.01), 1e-4, 1e6));
    camera.far_clip = to_float(std::clamp(number(lens, "zfar", kFar), double{camera.near_clip}, 1e6));
    scene_.nodes[node].kind = scene::NodeKind::camera;
    scene_.cameras.push_back(std::move(camera));
  }
  if (flat > 0) {
    diagnostics_.add(codes::kGltfUnsupported, counted(flat, "orthographic camera") + " left out");
  }
}

namespace {

using Counts = std::map<std::string, std::size_t>;

/// Extensions that nothing here reads, by name.
void count_unread(const Value* object, std::span<const std::string_view> read, Counts& unread) {
  const Value* extensions = member(object, "extensions");
  for (const auto& [name, value] : extensions == nullptr ? Value::Object() : extensions->object()) {
    if (std::find(read.begin(), read.end(), name) == read.end()) {
      ++unread[name];
    }
  }
}

}  // namespace

void SceneReader::report_unread() {
  const auto report = [&](const Counts& unread, std::string_view noun) {
    for (const auto& [name, count] : unread) {
      diagnostics_.add(codes::kGltfUnsupported, "unsupported " + name + " ignored: " + counted(count, noun));
    }
  };
  const auto count_all = [&](std::string_view array, std::span<const std::string_view> read) {
    Counts unread;
    for (Index i = 0; i < input_.count(array); ++i) {
      count_unread(input_.item(array, i), read, unread);
    }
    return unread;
  };
  constexpr std::array<std::string_view, 3> kOfNodes = {"EXT_mesh_gpu_instancing", "KHR_lights_punctual",
                                                        "MSFT_lod"};
  Counts of_nodes = count_all("nodes", kOfNodes);
  const bool is_from_thaw = !thaw_extras(member(&input_.json(), "asset")).is_null();
  if (is_from_thaw) {
    of_nodes.erase("KHR_node_visibility");  // what hides nodes of a scene is kept as well
  }
  report(of_nodes, "node");
  constexpr std::array<std::string_view, 1> kOfTextures = {"EXT_texture_webp"};
  report(count_all("textures", kOfTextures), "texture");
  // Read, or also there without it.
  constexpr std::array<std::string_view, 1> kOfPrimitives = {kDraco};
  Counts of_primitives;
  for (Index i = 0; i < input_.count("meshes"); ++i) {
    for (const Value& primitive : list(input_.item("meshes", i), "primitives")) {
      count_unread(&primitive, kOfPrimitives, of_primitives);
    }
  }
  if (is_from_thaw) {
    of_primitives.erase("KHR_materials_variants");  // made again of the textures
  }
  report(of_primitives, "primitive");
  if (!input_.reads_surfaces()) {
    return;
  }
  if (brighter_ > 0) {
    diagnostics_.add(
        codes::kGltfUnsupported,
        "emissive strength ignored on materials that are not physically based: " + std::to_string(brighter_));
  }
  constexpr std::array<std::string_view, 2> kOfMaterials = {"KHR_materials_unlit",
                                                            "KHR_materials_emissive_strength"};
  report(count_all("materials", kOfMaterials), "material");
}

}  // namespace thaw::gltf
