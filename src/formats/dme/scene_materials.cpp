// Materials: textures by what the shader calls them, and the pictures that are made from the engine's
// specular and normal maps (format page forgelight, §12 and §15).
#include <thaw/archive.hpp>
#include <thaw/forgelight.hpp>
#include <thaw/image.hpp>
#include <thaw/sources.hpp>

#include "formats/dme/scene_parts.hpp"

#include <algorithm>
#include <map>

namespace thaw::dme {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::array<std::string_view, 5> kColors = {"BaseDiffuse", "baseDiffuse", "Diffuse",
                                                     "diffuseTexture", "DiffuseB"};
constexpr std::array<std::string_view, 3> kNormals = {"Bump", "BumpMap", "BumpB"};
constexpr std::array<std::string_view, 4> kSpeculars = {"Spec", "SpecMap", "SpecGlow", "SpecB"};

/// In specular maps, blue above this is light of its own: 0.2 of 255.
constexpr std::uint8_t kGlow = 51;

std::string stem(std::string_view path) { return to_utf8(path.substr(0, path.find_last_of('.'))); }

void each_pixel(Image& image, void (*change)(std::uint8_t* rgba)) {
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    change(&image.rgba[i]);
  }
}

/// X is in alpha and Y in green; red and blue are masks.
void to_normals(Image& image) {
  each_pixel(image, [](std::uint8_t* p) {
    p[0] = p[3];
    p[2] = 255;
    p[3] = 255;
  });
}

/// Red is metal and alpha is roughness; glTF has roughness in green and metal in blue.
void to_metallic_roughness(Image& image) {
  each_pixel(image, [](std::uint8_t* p) {
    p[2] = p[0];
    p[1] = p[3];
    p[0] = 255;
    p[3] = 255;
  });
}

/// What shines: the colour map where the specular map's blue says so. True if anything does.
bool to_emissive(Image& specular, const Image& color) {
  bool any = false;
  for (std::uint32_t y = 0; y < specular.height; ++y) {
    for (std::uint32_t x = 0; x < specular.width; ++x) {
      std::uint8_t* p = &specular.rgba[(std::size_t{y} * specular.width + x) * 4];
      const std::size_t cx = std::uint64_t{x} * color.width / specular.width;
      const std::size_t cy = std::uint64_t{y} * color.height / specular.height;
      const std::uint8_t* c = &color.rgba[(cy * color.width + cx) * 4];
      const bool shines = p[2] > kGlow && c[3] != 0;
      any = any || shines;
      const unsigned strength = shines ? p[2] : 0U;
      for (std::size_t i = 0; i < 3; ++i) {
        p[i] = static_cast<std::uint8_t>((c[i] * strength + 127) / 255);
      }
      p[3] = 255;
    }
  }
  return any;
}

class MaterialBuilder {
 public:
  explicit MaterialBuilder(Build& build) : build_(build) {
    for (const auto name : build.palette.texture_names()) {
      names_.emplace(forgelight::hash_upper(name), name);
    }
  }

  void run() {
    const auto& materials = build_.palette.materials;
    for (std::size_t i = 0; i < materials.size(); ++i) {
      build_.materials.push_back(static_cast<Index>(build_.scene.materials.size()));
      build_.scene.materials.push_back(material(materials[i], i));
    }
  }

 private:
  scene::Material material(const dma::Material& from, std::size_t index) {
    scene::Material result;
    result.name = definition_name(from, index);
    const std::string color = texture_of(from, index, kColors);
    const std::string normal = texture_of(from, index, kNormals);
    const std::string specular = texture_of(from, index, kSpeculars);
    scene::Layer layer;
    layer.physically_based = true;
    layer.texture = color.empty() ? kNone : file_texture(color);
    layer.normal = normal.empty() ? kNone : made(normal, "_normal", to_normals);
    layer.orm = specular.empty() ? kNone : made(specular, "_metallic_roughness", to_metallic_roughness);
    layer.emissive = specular.empty() || color.empty() ? kNone : emissive(specular, color);
    result.layers.push_back(std::move(layer));
    result.extras = extras(from, index);
    return result;
  }

  [[nodiscard]] std::string definition_name(const dma::Material& from, std::size_t index) const {
    const auto* library = build_.options.library;
    const auto* definition = library == nullptr ? nullptr : library->find_definition(from.definition);
    if (definition != nullptr) {
      return definition->name;
    }
    for (const auto& layout : materials::known_layouts()) {
      if (forgelight::hash(layout.name) == from.definition) {
        return layout.name;
      }
    }
    return "material_" + std::to_string(index);
  }

  /// The actor's choice before the material's.
  [[nodiscard]] std::string texture_of(const dma::Material& from, std::size_t index,
                                       const dma::Parameter& parameter) const {
    for (const auto& alias : build_.options.aliases) {
      if (alias.is_default && alias.material == index && alias.semantic == parameter.semantic &&
          !alias.texture.empty()) {
        return alias.texture;
      }
    }
    const auto* own = from.find(parameter.semantic);
    const auto name = own == nullptr || !own->is_texture() ? names_.end() : names_.find(own->word());
    return name == names_.end() ? std::string() : std::string(name->second);
  }

  template <std::size_t N>
  [[nodiscard]] std::string texture_of(const dma::Material& from, std::size_t index,
                                       const std::array<std::string_view, N>& semantics) const {
    for (const auto semantic : semantics) {
      dma::Parameter parameter;
      parameter.semantic = forgelight::hash(semantic);
      if (std::string name = texture_of(from, index, parameter); !name.empty()) {
        return name;
      }
    }
    return {};
  }

  [[nodiscard]] Value extras(const dma::Material& from, std::size_t index) const {
    Value textures = Value::Object();
    for (const auto& parameter : from.parameters) {
      const std::string name = parameter.is_texture() ? texture_of(from, index, parameter) : std::string();
      if (!name.empty()) {
        const auto semantic = forgelight::parameter_name(parameter.semantic);
        textures.set(semantic.empty() ? hash_text(parameter.semantic).substr(8) : std::string(semantic),
                     to_utf8(name));
      }
    }
    Value value;
    value.set("definition", from.definition);
    value.set("textures", std::move(textures));
    return value;
  }

  // --- pictures
  // -------------------------------------------------------------------------------------------

  Index file_texture(const std::string& name) {
    scene::Texture texture;
    texture.path = name;
    return add_texture(std::move(texture), normalize_game_path(name));
  }

  Index add_texture(scene::Texture texture, const std::string& key) {
    texture.wrap_u = texture.wrap_v = true;
    const auto [known, fresh] = textures_.emplace(key, static_cast<Index>(build_.scene.textures.size()));
    if (fresh) {
      build_.scene.textures.push_back(std::move(texture));
    }
    return known->second;
  }

  /// A picture made from a file by a change of its pixels; none if no source has it.
  Index made(const std::string& name, std::string_view suffix, void (*change)(Image&)) {
    const std::string key = normalize_game_path(name) + std::string(suffix);
    if (const auto known = textures_.find(key); known != textures_.end()) {
      return known->second;
    }
    auto image = picture(name);
    if (!image) {
      return kNone;
    }
    change(*image);
    return add_picture(key, stem(name) + std::string(suffix), name, std::move(*image));
  }

  Index emissive(const std::string& specular, const std::string& color) {
    const std::string key = normalize_game_path(specular) + "_emissive";
    if (const auto known = textures_.find(key); known != textures_.end()) {
      return known->second;
    }
    auto image = picture(specular);
    const auto colors = image ? picture(color) : std::nullopt;
    return colors && to_emissive(*image, *colors)
               ? add_picture(key, stem(specular) + "_emissive", specular, std::move(*image))
               : kNone;
  }

  Index add_picture(const std::string& key, std::string name, const std::string& source, Image image) {
    scene::Texture texture;
    texture.image = static_cast<Index>(build_.scene.images.size());
    build_.scene.images.push_back({std::move(name), to_utf8(source), std::move(image), false});
    return add_texture(std::move(texture), key);
  }

  [[nodiscard]] std::optional<Image> picture(const std::string& name) {
    if (build_.options.sources == nullptr) {
      return std::nullopt;
    }
    const auto found = build_.options.sources->find_texture(name);
    if (!found) {
      note_once(codes::kTextureMissing, name, to_utf8(name));
      return std::nullopt;
    }
    auto image = decode_texture(found->bytes, build_.options.read, build_.diagnostics);
    if (!image || image->pixels() == 0 || image->rgba.size() != image->pixels() * 4) {
      note_once(codes::kTextureUndecodable, name,
                to_utf8(name) + ": " + (image ? "no pixels" : image.error().message));
      return std::nullopt;
    }
    return std::move(*image);
  }

  void note_once(const Code& code, const std::string& name, std::string message) {
    // The colour map is looked for again when all pictures are loaded, which tells of it.
    if (!textures_.count(normalize_game_path(name)) && noted_.emplace(name, true).second) {
      build_.diagnostics.add(code, std::move(message));
    }
  }

  Build& build_;
  std::map<std::uint32_t, std::string_view> names_;  ///< of textures by hash
  std::map<std::string, Index> textures_;
  std::map<std::string, bool> noted_;
};

}  // namespace

void add_materials(Build& build) { MaterialBuilder(build).run(); }

}  // namespace thaw::dme
