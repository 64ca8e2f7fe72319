// Materials between the three ways of saying which shader and which textures a layer has (mdx.md#materials):
// below 900 a texture per layer; to 1099 a shader name per material, whose HD form is six layers for six
// slots; from 1100 a shader id and a list of slots per layer.
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr FourCC kFlipbook{"KMTF"};

/// What the game puts where a slot is empty; slot 4 is the team colour (mdx.md#texture-slots).
constexpr std::array<std::string_view, kPhysicalTextures> kUsualTextures = {
    "",
    "Textures/normal.blp",
    "Textures/ORM.blp",
    "Textures/Black32.blp",
    "",
    "ReplaceableTextures/EnvironmentMap.blp"};
constexpr std::size_t kTeamColorSlot = 4;

std::optional<Track> take_flipbook(Tracks& tracks) {
  const auto found =
      std::find_if(tracks.begin(), tracks.end(), [](const Track& track) { return track.tag == kFlipbook; });
  if (found == tracks.end()) {
    return std::nullopt;
  }
  std::optional<Track> flipbook = std::move(*found);
  tracks.erase(found);
  return flipbook;
}

class MaterialConverter {
 public:
  explicit MaterialConverter(ConversionJob& job) : job_(job) {}

  void convert(Material& material, std::size_t index);

 private:
  [[nodiscard]] std::string layer_place(std::size_t layer) const {
    return place_ + "." + place("layers", layer);
  }

  // 900 to 1099 → 1100 and later
  void join(Material& material);
  void join_six(Material& material, std::uint32_t shader);
  void report_unused(const Layer& layer, std::size_t index);
  // 1100 and later → before
  void split(Material& material);
  void split_six(Material& material);
  std::array<const TextureSlot*, kPhysicalTextures> by_slot(const std::vector<TextureSlot>& slots);
  void split_plain(Layer& layer, std::size_t index);
  void drop_ignored_flipbook(Layer& layer, std::size_t index);
  std::string_view common_shader(const Material& material);
  // 900 to 1099 → before 900
  void keep_diffuse(Material& material);

  void gate_layer(Layer& layer, std::size_t index);
  void gate_flags(Layer& layer, std::size_t index);
  void report_older_shader(std::uint32_t shader);
  std::int32_t usual_texture(std::size_t slot);
  std::int32_t find_usual_texture(std::size_t slot);

  ConversionJob& job_;
  std::string place_;
  std::array<std::optional<std::int32_t>, kPhysicalTextures> usual_textures_;
};

void MaterialConverter::convert(Material& material, std::size_t index) {
  place_ = place("MTLS", index);
  if (job_.from < 1100 && job_.to >= 1100) {
    join(material);
  } else if (job_.from >= 1100 && job_.to < 1100) {
    split(material);
  } else if (job_.to < 900) {
    keep_diffuse(material);
  }
  if (job_.to < 900 || job_.to >= 1100) {
    material.shader = {};
  }
  for (std::size_t i = 0; i < material.layers.size(); ++i) {
    gate_layer(material.layers[i], i);
  }
}

// --- 1100 and later: slots

void MaterialConverter::join(Material& material) {
  const std::string_view name = job_.from >= 900 ? material.shader.view() : std::string_view{};
  const std::uint32_t shader = shader_of(name);
  if (is_physical(shader) && material.layers.size() == kPhysicalTextures) {
    join_six(material, shader);
    return;
  }
  const std::uint32_t id = shader == kShaderFixedFunction ? shader : kShaderLegacy;
  if (id == kShaderLegacy && !name.empty()) {
    job_.lose(codes::kConvertShader, place_ + ".shader",
              "shader name " + to_utf8(name) + " left out; the game uses the legacy shader");
  }
  for (auto& layer : material.layers) {
    layer.shader_id = id;
    layer.slots.assign(1, {layer.texture_id, 0, take_flipbook(layer.tracks)});
    layer.texture_id = 0;
  }
}

void MaterialConverter::join_six(Material& material, std::uint32_t shader) {
  std::vector<TextureSlot> slots(kPhysicalTextures);
  for (std::size_t i = 0; i < kPhysicalTextures; ++i) {
    auto& layer = material.layers[i];
    slots[i] = {layer.texture_id, static_cast<std::uint32_t>(i), take_flipbook(layer.tracks)};
    if (i > 0) {
      report_unused(layer, i);
    }
  }
  material.layers.resize(1);
  material.layers[0].shader_id = shader;
  material.layers[0].slots = std::move(slots);
  material.layers[0].texture_id = 0;
}

/// The game takes nothing but the texture from the layers after the first.
void MaterialConverter::report_unused(const Layer& layer, std::size_t index) {
  Layer usual;
  usual.texture_id = layer.texture_id;
  usual.has_fresnel = layer.has_fresnel;
  if (!(layer == usual)) {
    job_.lose(codes::kConvertUnused, layer_place(index), "layer settings that the game ignores left out");
  }
}

// --- before 1100: layers

void MaterialConverter::split(Material& material) {
  const bool single = material.layers.size() == 1;
  if (single && is_physical(material.layers[0].shader_id) && job_.to >= 900) {
    split_six(material);
    return;
  }
  material.shader.assign(common_shader(material));
  for (std::size_t i = 0; i < material.layers.size(); ++i) {
    auto& layer = material.layers[i];
    if (is_physical(layer.shader_id) && (material.flags & Material::kTwoSided) != 0) {
      layer.shading_flags |= Layer::kTwoSided;
    }
    split_plain(layer, i);
  }
}

/// The name that says what all layers say; layers that say something else are reported.
std::string_view MaterialConverter::common_shader(const Material& material) {
  const auto says = [](const Layer& layer) { return layer.shader_id == kShaderFixedFunction; };
  const bool all =
      !material.layers.empty() && std::all_of(material.layers.begin(), material.layers.end(), says);
  for (std::size_t i = 0; i < material.layers.size(); ++i) {
    const std::uint32_t shader = material.layers[i].shader_id;
    if (shader != kShaderLegacy && (!all || job_.to < 900)) {
      job_.lose(
          is_physical(shader) ? codes::kConvertMaterial : codes::kConvertShader, layer_place(i) + ".shaderId",
          is_physical(shader) ? "physically based layer reduced to its diffuse texture"
                              : "shader " + std::to_string(shader) + " replaced with the legacy shader");
    }
  }
  return all ? find_shader(kShaderFixedFunction)->name : "";
}

/// From 1100 on, slots have flip-books of their own; that of the layer would come alive in an older version.
void MaterialConverter::drop_ignored_flipbook(Layer& layer, std::size_t index) {
  if (take_flipbook(layer.tracks)) {
    job_.lose(codes::kConvertUnused, layer_place(index) + ".KMTF",
              "texture track that the game ignores left out");
  }
}

void MaterialConverter::split_plain(Layer& layer, std::size_t index) {
  drop_ignored_flipbook(layer, index);
  const auto diffuse = std::find_if(layer.slots.begin(), layer.slots.end(),
                                    [](const TextureSlot& slot) { return slot.slot == 0; });
  if (diffuse == layer.slots.end()) {
    job_.lose(codes::kConvertMaterial, layer_place(index) + ".slots",
              "the layer has no diffuse texture; textureId is used");
  } else {
    job_.reset(layer.texture_id, 0, layer_place(index), "textureId");
    layer.texture_id = diffuse->texture_id;
    if (diffuse->flipbook) {
      layer.tracks.insert(layer.tracks.begin(), std::move(*diffuse->flipbook));
    }
  }
  const std::size_t others = layer.slots.size() - (diffuse == layer.slots.end() ? 0 : 1);
  if (others > 0) {
    job_.lose(codes::kConvertMaterial, layer_place(index) + ".slots",
              counted(others, "texture") + " other than the diffuse one left out");
  }
  layer.slots.clear();
  layer.shader_id = 0;
}

void MaterialConverter::split_six(Material& material) {
  Layer& first = material.layers[0];
  const std::uint32_t shader = first.shader_id;
  report_older_shader(shader);
  drop_ignored_flipbook(first, 0);
  const auto slots = std::move(first.slots);
  first.slots.clear();
  first.shader_id = 0;
  job_.reset(first.texture_id, 0, layer_place(0), "textureId");
  const auto found = by_slot(slots);
  material.layers.resize(kPhysicalTextures);
  for (std::size_t i = 0; i < kPhysicalTextures; ++i) {
    auto& layer = material.layers[i];
    layer.texture_id = found.at(i) != nullptr ? found.at(i)->texture_id : usual_texture(i);
    if (found.at(i) != nullptr && found.at(i)->flipbook) {
      layer.tracks.insert(layer.tracks.begin(), *found.at(i)->flipbook);
    }
  }
  material.shader.assign(find_shader(shader)->name);
}

std::array<const TextureSlot*, kPhysicalTextures> MaterialConverter::by_slot(
    const std::vector<TextureSlot>& slots) {
  const std::string path = layer_place(0) + ".slots";
  std::array<const TextureSlot*, kPhysicalTextures> found{};
  bool in_order = true;
  for (const auto& slot : slots) {
    if (slot.slot >= kPhysicalTextures || found.at(slot.slot) != nullptr) {
      job_.lose(codes::kConvertMaterial, path,
                slot.slot >= kPhysicalTextures
                    ? "texture slot " + std::to_string(slot.slot) + " left out; slots go from 0 to 5"
                    : "second texture in slot " + std::to_string(slot.slot) + " left out");
      continue;
    }
    found.at(slot.slot) = &slot;
    in_order = in_order && &slot - slots.data() == static_cast<std::ptrdiff_t>(slot.slot);
  }
  if (slots.size() < kPhysicalTextures) {
    job_.lose(codes::kConvertUnused, path, "empty texture slots filled with the game's default textures");
  } else if (!in_order) {
    job_.lose(codes::kConvertUnused, path, "texture slots reordered");
  }
  return found;
}

void MaterialConverter::report_older_shader(std::uint32_t shader) {
  if (shader == kShaderCrystal) {
    job_.lose(codes::kConvertShader, place_ + ".shader",
              "the shader Crystal needs the 3.0.0 client; older ones use the legacy shader");
  }
}

/// The index of the texture that the game takes for an empty slot, added on the first request.
std::int32_t MaterialConverter::usual_texture(std::size_t slot) {
  auto& known = usual_textures_.at(slot);
  if (!known) {
    known = find_usual_texture(slot);
  }
  return *known;
}

std::int32_t MaterialConverter::find_usual_texture(std::size_t slot) {
  Texture usual;
  usual.replaceable_id = slot == kTeamColorSlot ? 1 : 0;
  usual.path.assign(kUsualTextures.at(slot));
  std::int32_t index = 0;
  Textures* last = nullptr;
  for (auto& chunk : job_.document().chunks) {
    if (auto* textures = std::get_if<Textures>(&chunk.body)) {
      for (const auto& texture : textures->items) {
        if (texture.replaceable_id == usual.replaceable_id &&
            ascii::same(texture.path.view(), usual.path.view())) {
          return index;
        }
        ++index;
      }
      last = textures;
    }
  }
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): convert_materials() sees to it that there is a list.
  last->items.push_back(usual);
  return index;
}

// --- before 900: one texture per layer, no shader

void MaterialConverter::keep_diffuse(Material& material) {
  const std::uint32_t shader = shader_of(material.shader.view());
  if (is_physical(shader) && material.layers.size() == kPhysicalTextures) {
    job_.lose(codes::kConvertMaterial, place_, "physically based material reduced to its diffuse texture");
    material.layers.resize(1);
    if ((material.flags & Material::kTwoSided) != 0) {
      material.layers[0].shading_flags |= Layer::kTwoSided;
    }
  } else if (!material.shader.view().empty()) {
    job_.lose(codes::kConvertShader, place_ + ".shader",
              "shader name " + to_utf8(material.shader.view()) + " left out");
  }
}

// --- fields and tracks by version

void MaterialConverter::gate_layer(Layer& layer, std::size_t index) {
  const std::string path = layer_place(index);
  if (job_.to < 900) {
    job_.reset(layer.emissive_gain, 1.0F, path, "emissiveGain");
  }
  if (job_.to < 1000) {
    job_.reset(layer.fresnel_color, Vec3{1, 1, 1}, path, "fresnelColor");
    job_.reset(layer.fresnel_opacity, 0.0F, path, "fresnelOpacity");
    job_.reset(layer.fresnel_team_color, 0.0F, path, "fresnelTeamColor");
  }
  job_.drop_newer_tracks(layer.tracks, path);
  layer.has_fresnel = job_.to >= 1000;
  gate_flags(layer, index);
}

void MaterialConverter::gate_flags(Layer& layer, std::size_t index) {
  const auto clear = [&](std::uint32_t flag, std::string_view message) {
    if ((layer.shading_flags & flag) != 0) {
      layer.shading_flags &= ~flag;
      job_.lose(codes::kConvertFlag, layer_place(index) + ".shadingFlags", std::string(message));
    }
  };
  if (job_.for_older_client()) {
    if (job_.to >= 1100) {
      report_older_shader(layer.shader_id);
    }
    clear(Layer::kBackFacesForShadows, "flag BackFacesForShadows left out (it needs the 3.0.0 client)");
    clear(Layer::kAmbientOcclusion, "flag AmbientOcclusion left out (it needs the 3.0.0 client)");
  }
  if (job_.to < 900 && (layer.shading_flags & Layer::kUnlit) != 0) {
    clear(Layer::kUnlit, "flag Unlit replaced with Unshaded");
    layer.shading_flags |= Layer::kUnshaded;
  }
}

/// Reforged finds the .dds under any of its extensions; the classic game reads .blp and .tga only.
void report_texture_paths(ConversionJob& job) {
  for_each<Textures>(job.document(), [&](const Texture& texture, std::size_t i) {
    const std::string_view path = texture.path.view();
    const std::string_view extension = path.size() < 4 ? "" : path.substr(path.size() - 4);
    if (ascii::same(extension, ".dds") || ascii::same(extension, ".tif")) {
      job.lose(codes::kConvertTexture, place("TEXS", i) + ".path",
               "the classic game reads .blp and .tga only; convert the texture and change the path");
    }
  });
}

}  // namespace

void convert_materials(ConversionJob& job) {
  if (job.from >= 1100 && job.to >= 900 && job.to < 1100 && job.document().find<Textures>() == nullptr) {
    insert_chunk(job.document(), FourCC{"TEXS"},
                 Textures{});  // for those that the game puts into empty slots
  }
  MaterialConverter converter(job);
  for_each<Materials>(job.document(),
                      [&](Material& material, std::size_t i) { converter.convert(material, i); });
  if (job.from >= 900 && job.to < 900) {
    report_texture_paths(job);
  }
}

}  // namespace thaw::mdx
