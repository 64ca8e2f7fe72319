#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "formats/wow/wmo/scene_builder.hpp"
#include "scene/bounds.hpp"

namespace thaw::wmo {
namespace {

void add_root_extras(SceneBuilder& builder, const Document& document, const std::vector<bool>& shown) {
  const Building& building = builder.building;
  Value& extras = builder.scene.extras;
  extras.set("version", building.version);
  extras.set("wmoId", building.header.wmo_id);
  extras.set("ambientColor", list_of(building.header.ambient_color));
  if (const auto* skybox = document.find<Strings>(FourCC{"MOSB"});
      skybox != nullptr && !skybox->at(0).empty()) {
    extras.set("skybox", to_utf8(skybox->at(0)));
  }
  if (building.doodad_sets.empty()) {
    extras.set("doodadSets", Value::List());  // a file of one group says that it has none
  }
  for (std::size_t i = 0; i < building.doodad_sets.size(); ++i) {
    const DoodadSet& set = building.doodad_sets[i];
    builder.scene.object_sets.push_back({building.set_name(i), set.first, set.count, bool{shown[i]}});
  }
}

}  // namespace

scene::Index SceneBuilder::texture(std::string_view path, bool wrap_u, bool wrap_v) {
  std::string key(path);
  key.push_back(static_cast<char>((wrap_u ? 1 : 0) + (wrap_v ? 2 : 0)));
  const auto [entry, fresh] =
      textures.emplace(std::move(key), static_cast<scene::Index>(scene.textures.size()));
  if (fresh) {
    scene::Texture added;
    added.path = to_utf8(path);
    added.wrap_u = wrap_u;
    added.wrap_v = wrap_v;
    scene.textures.push_back(std::move(added));
  }
  return entry->second;
}

namespace {

scene::BlendMode blend_of(std::uint32_t mode) {
  constexpr std::array kModes = {scene::BlendMode::opaque,   scene::BlendMode::mask,
                                 scene::BlendMode::blend,    scene::BlendMode::additive,
                                 scene::BlendMode::modulate, scene::BlendMode::modulate2x};
  return mode < kModes.size() ? kModes.at(mode) : scene::BlendMode::opaque;
}

Value material_extras(const Building& building, const Material& material) {
  Value extras;
  extras.set(building.version < 16 ? "version" : "shader", material.version);
  extras.set("flags", material.flags);
  extras.set("blendMode", material.blend_mode);
  extras.set("sidnColor", list_of(material.glow_color));
  extras.set("diffuseColor", list_of(material.diffuse_color));
  extras.set("groundType", material.ground_type);
  const auto second = name_at(building.texture_names, material.texture2);
  if (!second.empty() && material.texture2 != material.texture1) {
    extras.set("texture2", to_utf8(second));
  }
  return extras;
}

}  // namespace

scene::Index SceneBuilder::material(std::size_t index, bool baked) {
  if (index >= building.materials.size()) {
    return scene::kNone;
  }
  const auto [entry, fresh] =
      materials.emplace(std::pair(index, baked), static_cast<scene::Index>(scene.materials.size()));
  if (!fresh) {
    return entry->second;
  }
  const Material& source = building.materials[index];
  const std::string_view path = name_at(building.texture_names, source.texture1);
  scene::Material added;
  added.name = path.empty() ? "material " + std::to_string(index) : path_stem(path);
  added.name += baked ? " (light in colours)" : "";
  auto& layer = added.layers.emplace_back();
  layer.blend = blend_of(source.blend_mode);
  layer.two_sided = (source.flags & Material::kTwoSided) != 0;
  layer.unfogged = (source.flags & Material::kUnfogged) != 0;
  layer.unshaded = baked || (source.flags & Material::kUnlit) != 0;
  if ((source.flags & Material::kNightGlow) != 0) {
    const Vec4 glow = to_color(source.glow_color);
    layer.night_color = {glow[0], glow[1], glow[2]};
  }
  if (!path.empty()) {
    layer.texture =
        texture(path, (source.flags & Material::kClampS) == 0, (source.flags & Material::kClampT) == 0);
  }
  added.extras = material_extras(building, source);
  scene.materials.push_back(std::move(added));
  return entry->second;
}

void paint(SceneBuilder& builder, scene::Mesh& mesh, Surface surface) {
  struct Appearance {
    const char* name;
    Vec3 color;
  };
  static constexpr std::array<Appearance, 2> kLooks = {
      {{"collision", {0.95F, 0.75F, 0.15F}}, {"portal", {0.25F, 0.55F, 1.0F}}}};
  constexpr float kAlpha = 0.35F;
  const Appearance& look = kLooks.at(static_cast<std::size_t>(surface));
  const auto [entry, fresh] = builder.surfaces.emplace(
      static_cast<int>(surface), static_cast<scene::Index>(builder.scene.materials.size()));
  if (fresh) {
    scene::Material material;
    material.name = look.name;
    auto& layer = material.layers.emplace_back();
    layer.blend = scene::BlendMode::blend;
    layer.unshaded = true;
    layer.two_sided = true;
    builder.scene.materials.push_back(std::move(material));
  }
  mesh.color = look.color;
  mesh.alpha = kAlpha;
  mesh.parts = {{0, static_cast<scene::Index>(mesh.indices.size()), entry->second}};
}

Result<scene::Scene> to_scene(const Document& document, std::span<const Document* const> groups,
                              std::string_view name, const SceneOptions& options, Diagnostics& diagnostics) {
  const Building building(document, groups);
  auto shown = shown_sets(building, options);
  if (!shown) {
    return tl::unexpected<Error>(std::move(shown.error()));
  }
  SceneBuilder builder{building, options, diagnostics};
  builder.scene.name = std::string(name);
  builder.scene.source_format = "wmo";
  builder.scene.axes = scene::Axes::x_front;
  builder.add_node(builder.scene.name, scene::kNone, scene::NodeKind::root);
  for (std::size_t i = 0; i < building.groups.size(); ++i) {
    if (building.groups[i] == nullptr) {
      diagnostics.add(
          codes::kWmoGroupFile,
          "group " + std::to_string(i) + " left out; its file was not found in any source, or is unreadable");
    } else {
      add_group(builder, i, *building.groups[i]);
    }
  }
  // Meshes of buildings have no transform.
  builder.scene.bounds = scene::bounds_of_meshes(builder.scene);
  add_portals(builder);
  add_lights(builder);
  add_fogs(builder);
  add_doodads(builder, *shown);
  add_root_extras(builder, document, *shown);
  return std::move(builder.scene);
}

}  // namespace thaw::wmo
