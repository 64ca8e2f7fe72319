#include "formats/forgelight/dme/palette_builder.hpp"

#include <thaw/codes.hpp>
#include <thaw/forgelight.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/dme/packed_pictures.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::dme {
namespace {

using scene::Index;
using scene::kNone;

std::string plain_name(std::string_view path) { return to_utf8(without_extension(last_part(path))); }

/// Of a name of an artist what names of files take.
std::string fit_for_files(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) {
        return static_cast<unsigned char>(c) < 0x20 ||
               std::string_view("\\/:*?\"<>|#").find(c) != std::string_view::npos;
      },
      '_');
  return name;
}

bool is_shaded(const Image& orm) {
  constexpr std::uint8_t kVisible = 253;
  for (std::size_t at = 0; at < orm.rgba.size(); at += 4) {
    if (orm.rgba[at] < kVisible) {
      return true;
    }
  }
  return false;
}

}  // namespace

const scene::Layer& TextureList::layer_of(Index material) const {
  static const scene::Layer kNothing;
  const bool known = material < scene_.materials.size() && !scene_.materials[material].layers.empty();
  return known ? scene_.materials[material].layers.front() : kNothing;
}

std::string TextureList::free_name(const std::string& stem) {
  std::string name = stem + ".dds";
  for (int number = 2; !used_names_.insert(name).second; ++number) {
    name = stem + "-" + std::to_string(number) + ".dds";
  }
  return name;
}

const std::string& TextureList::color(Index material) {
  static const std::string kNameless;
  const Index texture = layer_of(material).texture;
  if (texture >= scene_.textures.size()) {
    return kNameless;
  }
  std::string& name = colors_[texture];
  if (name.empty()) {
    const scene::Texture& source = scene_.textures[texture];
    std::string stem = plain_name(source.path);
    if (stem.empty() && source.image < scene_.images.size()) {
      stem = fit_for_files(plain_name(scene_.images[source.image].name));
    }
    name = free_name(stem.empty() ? "texture" : stem);
    textures_.push_back({name, texture});
  }
  return name;
}

/// What the maps of a material are called after: its colours, which end in `_C` as the game has them, else
/// itself.
std::string TextureList::stem_of(Index material) {
  std::string stem = plain_name(color(material));
  if (stem.empty()) {
    stem = fit_for_files(scene_.materials[material].name);
  }
  const bool ends = stem.size() > 2 && (stem.ends_with("_C") || stem.ends_with("_c"));
  return stem.empty() ? "material" : ends ? stem.substr(0, stem.size() - 2) : stem;
}

std::optional<Image> TextureList::pixels(Index texture) const {
  if (texture >= scene_.textures.size()) {
    return std::nullopt;
  }
  const scene::Texture& source = scene_.textures[texture];
  Result<Image> image = fail(codes::kTextureMissing, "");
  if (source.content) {
    image = decode_texture(*source.content, {}, diagnostics_);
  } else if (source.image < scene_.images.size()) {
    image = scene_.images[source.image].image;
  }
  const bool whole = image && image->pixels() > 0 && image->rgba.size() == image->pixels() * 4;
  return whole ? std::optional(std::move(*image)) : std::nullopt;
}

const std::string& TextureList::add(std::string& name, const std::string& stem, Image image) {
  name = free_name(stem);
  textures_.push_back({name, kNone, std::move(image)});
  return name;
}

const std::string& TextureList::normals(Index material) {
  std::string& name = normals_[layer_of(material).normal];
  auto image = name.empty() ? pixels(layer_of(material).normal) : std::nullopt;
  return image ? add(name, stem_of(material) + "_N", packed_normals(std::move(*image))) : name;
}

const std::string& TextureList::surface(Index material) {
  constexpr unsigned kVisible = 24;  // of 255
  std::string& name = surfaces_[material];
  const scene::Layer& layer = layer_of(material);
  const auto orm = name.empty() ? pixels(layer.orm) : std::nullopt;
  const auto emissive = name.empty() ? pixels(layer.emissive) : std::nullopt;
  if (!orm && !emissive) {
    return name;
  }
  const auto colors = emissive ? pixels(layer.texture) : std::nullopt;
  auto packed = packed_surface({orm ? &*orm : nullptr, emissive ? &*emissive : nullptr,
                                colors ? &*colors : nullptr, double{layer.emissive_gain}});
  if (orm && is_shaded(*orm)) {
    shaded_.insert(material);
  }
  // Light is seen on a texture of colours alone.
  if (emissive && (packed.off > kVisible || !colors)) {
    lit_.insert(material);
  }
  return add(name, stem_of(material) + "_S", std::move(packed.image));
}

std::vector<ModelTexture> TextureList::take() {
  if (!shaded_.empty()) {
    diagnostics_.add(codes::kSceneLost, "occlusion maps left out of " + counted(shaded_.size(), "material"));
  }
  if (!lit_.empty()) {
    diagnostics_.add(codes::kSceneChanged,
                     "emission merged into the surface colour of " + counted(lit_.size(), "material"));
  }
  return std::move(textures_);
}

void PaletteBuilder::add(Index index, std::string_view definition) {
  dma::Material& material = palette_.materials.emplace_back();
  material.definition = forgelight::hash(definition);
  if (index >= scene_.materials.size()) {
    return;
  }
  const scene::Material& source = scene_.materials[index];
  material.name_hash = forgelight::hash(source.name);
  add_texture(material, "BaseDiffuse", textures_.color(index));
  add_texture(material, "Bump", textures_.normals(index));
  add_texture(material, "Spec", textures_.surface(index));
}

void PaletteBuilder::add_texture(dma::Material& material, std::string_view semantic,
                                 const std::string& name) {
  if (name.empty()) {
    return;
  }
  if (listed_.insert(name).second) {
    palette_.names.insert(palette_.names.end(), name.begin(), name.end());
    palette_.names.push_back('\0');
  }
  dma::Parameter parameter;
  parameter.semantic = forgelight::hash(semantic);
  parameter.parameter_class = dma::Parameter::kObject;
  parameter.type = dma::Parameter::kTexture;
  const std::uint32_t hash = forgelight::hash_upper(name);
  parameter.data.resize(sizeof hash);
  std::memcpy(parameter.data.data(), &hash, sizeof hash);
  material.parameters.push_back(std::move(parameter));
}

}  // namespace thaw::dme
