// Materials: textures by what the shader calls them, and the pictures that are made from the engine's
// specular and normal maps (dma.md#textures).
#include <thaw/forgelight.hpp>
#include <thaw/image.hpp>
#include <thaw/sources.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/forgelight/dme/scene_parts.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace thaw::dme {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::array<std::string_view, 5> kColors = {"BaseDiffuse", "baseDiffuse", "Diffuse",
                                                     "diffuseTexture", "DiffuseB"};
constexpr std::array<std::string_view, 3> kNormals = {"Bump", "BumpMap", "BumpB"};
constexpr std::array<std::string_view, 4> kSpeculars = {"Spec", "SpecMap", "SpecGlow", "SpecB"};

/// Longer names are no paths of the game. Any number of parameters may name the same texture.
constexpr std::size_t kLongestName = 260;
/// Textures that extras list, of one material and of all.
constexpr std::size_t kMaxListed = 1024;
constexpr std::size_t kMaxListedOfAll = std::size_t{1} << 16U;
/// Pixels looked at for the light of specular maps that have another colour map already: a file can pair any
/// with any.
constexpr std::size_t kMaxPairedPixels = std::size_t{1} << 26U;

/// In specular maps, blue above this is light of its own: 0.2 of 255.
constexpr std::uint8_t kGlow = 51;

std::string stem(std::string_view path) { return to_utf8(without_extension(path)); }

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

/// What shines: the colour map where the specular map's blue states it. True if anything does.
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
      if (name.size() <= kLongestName) {
        names_.emplace(forgelight::hash_upper(name), name);
      }
    }
    for (const auto& alias : build.options.aliases) {
      if (alias.is_default && !alias.texture.empty() && alias.texture.size() <= kLongestName) {
        aliases_.emplace(std::pair(alias.material, alias.semantic), alias.texture);
      }
    }
  }

  void run() {
    const auto& materials = build_.palette.materials;
    for (std::size_t i = 0; i < materials.size(); ++i) {
      build_.materials.push_back(static_cast<Index>(build_.scene.materials.size()));
      build_.scene.materials.push_back(material(materials[i], i));
    }
    if (unlisted_ > 0) {
      build_.diagnostics.add(codes::kSceneApproximated,
                             counted(unlisted_, "parameter texture") +
                                 " left out of the extras, which list at most " + std::to_string(kMaxListed) +
                                 " of a material and " + std::to_string(kMaxListedOfAll) + " of a model");
    }
    if (unpaired_ > 0) {
      build_.diagnostics.add(codes::kSceneApproximated,
                             "emission left out of " + counted(unpaired_, "material") +
                                 ", because the model combines too many specular and colour maps");
    }
  }

 private:
  /// A material whose parameters are found without a search through all of them.
  struct Source {
    std::size_t index = 0;
    const dma::Material& material;
    std::map<std::uint32_t, const dma::Parameter*> parameters;  ///< the first of each semantic
  };

  scene::Material material(const dma::Material& source, std::size_t index) {
    Source from{index, source, {}};
    for (const auto& parameter : source.parameters) {
      from.parameters.emplace(parameter.semantic, &parameter);
    }
    scene::Material result;
    result.name = definition_name(source, index);
    const std::string color = texture_of(from, kColors);
    const std::string normal = texture_of(from, kNormals);
    const std::string specular = texture_of(from, kSpeculars);
    scene::Layer layer;
    layer.physically_based = true;
    layer.texture = color.empty() ? kNone : file_texture(color);
    layer.normal = normal.empty() ? kNone : converted(normal, "_normal", to_normals);
    layer.orm = specular.empty() ? kNone : converted(specular, "_metallic_roughness", to_metallic_roughness);
    layer.emissive = specular.empty() || color.empty() ? kNone : emissive(specular, color);
    result.layers.push_back(std::move(layer));
    result.extras = extras(from);
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
  [[nodiscard]] std::string_view texture_of(const Source& from, std::uint32_t semantic) const {
    const auto alias = aliases_.find({static_cast<std::uint32_t>(from.index), semantic});
    if (alias != aliases_.end()) {
      return alias->second;
    }
    const auto parameter = from.parameters.find(semantic);
    const bool named = parameter != from.parameters.end() && parameter->second->is_texture();
    const auto name = named ? names_.find(parameter->second->word()) : names_.end();
    return name == names_.end() ? std::string_view() : name->second;
  }

  template <std::size_t N>
  [[nodiscard]] std::string texture_of(const Source& from,
                                       const std::array<std::string_view, N>& semantics) const {
    for (const auto semantic : semantics) {
      if (const auto name = texture_of(from, forgelight::hash(semantic)); !name.empty()) {
        return std::string(name);
      }
    }
    return {};
  }

  Value extras(const Source& from) {
    Value textures = Value::Object();
    std::set<std::uint32_t> reported;
    for (const auto& parameter : from.material.parameters) {
      const auto name = parameter.is_texture() ? texture_of(from, parameter.semantic) : std::string_view();
      if (name.empty() || !reported.insert(parameter.semantic).second) {
        continue;
      }
      if (reported.size() > kMaxListed || listed_ == kMaxListedOfAll) {
        ++unlisted_;
        continue;
      }
      ++listed_;
      const auto semantic = forgelight::parameter_name(parameter.semantic);
      textures.set(semantic.empty() ? hex_text(parameter.semantic, 8) : std::string(semantic), to_utf8(name));
    }
    Value value;
    value.set("definition", from.material.definition);
    value.set("textures", std::move(textures));
    return value;
  }

  // --- pictures
  // -------------------------------------------------------------------------------------------

  Index file_texture(const std::string& name) {
    const auto [known, fresh] =
        textures_.emplace(normalize_game_path(name), static_cast<Index>(build_.scene.textures.size()));
    if (fresh) {
      scene::Texture& texture = build_.scene.textures.emplace_back();
      texture.path = name;
      texture.wrap_u = texture.wrap_v = true;
    }
    return known->second;
  }

  /// A picture made from a file by a change of its pixels; none if no source has it.
  Index converted(const std::string& name, std::string_view suffix, void (*change)(Image&)) {
    const auto [known, fresh] = converted_.emplace(normalize_game_path(name) + std::string(suffix), kNone);
    if (fresh) {
      if (auto image = picture(name)) {
        change(*image);
        known->second = add_picture(stem(name) + std::string(suffix), name, std::move(*image));
      }
    }
    return known->second;
  }

  Index emissive(const std::string& specular, const std::string& color) {
    const std::string glow = normalize_game_path(specular) + "_emissive";
    const auto [known, fresh] = converted_.emplace(glow + '\n' + normalize_game_path(color), kNone);
    if (!fresh) {
      return known->second;
    }
    const bool again = !lit_.insert(glow).second;
    if (again && paired_pixels_ >= kMaxPairedPixels) {
      ++unpaired_;
      return kNone;
    }
    auto image = picture(specular);
    const auto colors = image ? picture(color) : std::nullopt;
    if (again && image) {
      paired_pixels_ += image->pixels() + (colors ? colors->pixels() : 0);
    }
    if (colors && to_emissive(*image, *colors)) {
      std::string name = stem(specular) + "_emissive";
      name += again ? '_' + stem(last_part(color)) : std::string();
      known->second = add_picture(std::move(name), specular, std::move(*image));
    }
    return known->second;
  }

  Index add_picture(std::string name, const std::string& source, Image image) {
    scene::Texture texture;
    texture.image = static_cast<Index>(build_.scene.images.size());
    texture.wrap_u = texture.wrap_v = true;
    build_.scene.images.push_back({std::move(name), to_utf8(source), std::move(image), false});
    build_.scene.textures.push_back(std::move(texture));
    return static_cast<Index>(build_.scene.textures.size() - 1);
  }

  /// Files that are not there, or are no pictures, are tried once.
  [[nodiscard]] std::optional<Image> picture(const std::string& name) {
    if (build_.options.sources == nullptr || unusable_.contains(name)) {
      return std::nullopt;
    }
    auto image = decoded(name);
    if (!image) {
      unusable_.insert(name);
    }
    return image;
  }

  [[nodiscard]] std::optional<Image> decoded(const std::string& name) const {
    const auto found = build_.options.sources->find_texture(name);
    if (!found) {
      note(codes::kTextureMissing, name, "texture " + to_utf8(name) + " not found in any source");
      return std::nullopt;
    }
    auto image = decode_texture(found->bytes, build_.options.read, build_.diagnostics);
    if (!image || image->pixels() == 0 || image->rgba.size() != image->pixels() * 4) {
      note(codes::kTextureUndecodable, name,
           to_utf8(name) + ": " + (image ? "no pixels" : image.error().message));
      return std::nullopt;
    }
    return std::move(*image);
  }

  void note(const Code& code, const std::string& name, std::string message) const {
    // The colour map is looked for again when all pictures are loaded, which reports it.
    if (!textures_.contains(normalize_game_path(name))) {
      build_.diagnostics.add(code, std::move(message));
    }
  }

  Build& build_;
  std::map<std::uint32_t, std::string_view> names_;                              ///< of textures by hash
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string_view> aliases_;  ///< by material and semantic
  std::map<std::string, Index> textures_;                                        ///< of files, by path
  std::map<std::string, Index> converted_;  ///< by what they are made of; kNone if that gives nothing
  std::set<std::string> unusable_;
  std::set<std::string> lit_;  ///< specular maps
  std::size_t paired_pixels_ = 0;
  std::size_t unpaired_ = 0;
  std::size_t listed_ = 0;
  std::size_t unlisted_ = 0;
};

}  // namespace

void add_materials(Build& build) { MaterialBuilder(build).run(); }

}  // namespace thaw::dme
