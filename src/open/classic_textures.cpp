#include <thaw/load.hpp>

#include <thaw/blp.hpp>
#include <thaw/image.hpp>
#include <thaw/mdx.hpp>

#include "bytes/text.hpp"
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace thaw {
namespace {

constexpr std::size_t kOrm = 2;

bool is_blp1(ByteView bytes) {
  const auto model = blp::read(bytes);
  return model && model->variant == blp::Variant::blp1;
}

/// The texture of a slot of a physically based material; -1 for none.
std::int32_t texture_of_slot(const mdx::Material& material, std::size_t slot) {
  if (!mdx::is_physical(mdx::shader_of(material.shader.view())) ||
      material.layers.size() != mdx::kPhysicalTextures) {
    const auto layer =
        std::find_if(material.layers.begin(), material.layers.end(),
                     [](const mdx::Layer& candidate) { return mdx::is_physical(candidate.shader_id); });
    if (layer == material.layers.end()) {
      return -1;
    }
    const auto found =
        std::find_if(layer->slots.begin(), layer->slots.end(),
                     [&](const mdx::TextureSlot& candidate) { return candidate.slot == slot; });
    return found == layer->slots.end() ? -1 : found->texture_id;
  }
  return material.layers[slot].texture_id;
}

/// What shines through a picture where the mask states it; false if it states it nowhere.
bool cut_out(Image& picture, const Image& orm) {
  constexpr std::uint8_t kNoise = 8;
  const Image mask = orm.width > picture.width || orm.height > picture.height
                         ? reduced(orm, picture.width, picture.height)
                         : orm;
  bool masked = false;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      const std::size_t from = std::size_t{y} * mask.height / picture.height * mask.width +
                               std::size_t{x} * mask.width / picture.width;
      const std::uint8_t share = mask.rgba[from * 4 + 3];
      masked = masked || share > kNoise;
      picture.rgba[(std::size_t{y} * picture.width + x) * 4 + 3] = static_cast<std::uint8_t>(255 - share);
    }
  }
  return masked;
}

class ClassicBuilder {
 public:
  ClassicBuilder(mdx::Document& document, const mdx::Document& original, const Sources& sources)
      : document_(document), original_(original), sources_(sources) {}

  ClassicTextures make();

 private:
  [[nodiscard]] std::optional<Image> picture_of(std::int32_t texture) const;
  void cut_masks();
  void drop_unused();
  void convert_pictures();
  [[nodiscard]] std::string free_name(std::string_view path);

  mdx::Document& document_;
  const mdx::Document& original_;
  const Sources& sources_;
  ClassicTextures result_;
  std::map<std::string, Image> cut_;  ///< by path
  std::set<std::string> names_;
};

std::optional<Image> ClassicBuilder::picture_of(std::int32_t texture) const {
  const auto textures = original_.all<mdx::Textures>();
  if (texture < 0 || static_cast<std::size_t>(texture) >= textures.size()) {
    return std::nullopt;
  }
  const auto found = sources_.find_texture(textures[static_cast<std::size_t>(texture)]->path.view());
  auto image = found ? decode_texture(found->bytes) : Result<Image>(fail(codes::kInputUnreadable, ""));
  return image ? std::optional(std::move(*image)) : std::nullopt;
}

/// The mask lies in the alpha of the picture for occlusion, roughness and metal (mdx.md#texture-slots). A
/// picture with an alpha of its own keeps that.
void ClassicBuilder::cut_masks() {
  const auto materials = original_.all<mdx::Materials>();
  std::map<std::int32_t, std::size_t> uses;
  for (const auto* material : materials) {
    ++uses[texture_of_slot(*material, 0)];
  }
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const std::int32_t diffuse = texture_of_slot(*materials[i], 0);
    if (diffuse < 0 || uses[diffuse] > 1) {
      continue;
    }
    auto picture = picture_of(diffuse);
    const auto orm =
        picture && is_opaque(*picture) ? picture_of(texture_of_slot(*materials[i], kOrm)) : std::nullopt;
    Diagnostics discarded(0);
    EditLog log{{}, discarded};
    if (!orm || !cut_out(*picture, *orm) || !mdx::add_team_color(document_, std::to_string(i), log) ||
        log.changes.empty()) {
      continue;
    }
    const auto textures = original_.all<mdx::Textures>();
    cut_.emplace(textures[static_cast<std::size_t>(diffuse)]->path.view(), std::move(*picture));
    ++result_.masks;
  }
}

void ClassicBuilder::drop_unused() {
  using mdx::Merging;
  result_.unused = mdx::merge_materials(document_, Merging::none) +
                   mdx::merge_texture_animations(document_, Merging::none) +
                   mdx::merge_textures(document_, Merging::none) + mdx::drop_global_sequences(document_);
}

std::string ClassicBuilder::free_name(std::string_view path) {
  const std::string stem(last_part(path).substr(0, last_part(path).rfind('.')));
  std::string name = stem + ".blp";
  for (int number = 2; !names_.insert(ascii::lowered(name)).second; ++number) {
    name = stem + "-" + std::to_string(number) + ".blp";
  }
  return name;
}

void ClassicBuilder::convert_pictures() {
  mdx::for_each<mdx::Textures>(document_, [&](mdx::Texture& texture, std::size_t) {
    const std::string path(texture.path.view());
    const bool classic = ascii::ends_with(path, ".blp") && !cut_.contains(path);
    if (path.empty()) {
      return;
    }
    const auto found = sources_.find_texture(path);
    if (classic && found && is_blp1(found->bytes)) {
      return;  // the game reads it where it is
    }
    const auto cut = cut_.find(path);
    auto image = cut != cut_.end() ? Result<Image>(cut->second)
                 : found           ? decode_texture(found->bytes)
                                   : Result<Image>(fail(codes::kInputUnreadable, ""));
    const auto encoded =
        image.and_then([](const Image& pixels) { return blp::encode(pixels, blp::Variant::blp1); });
    if (!encoded) {
      result_.missing.push_back(path);
      return;
    }
    const std::string name = free_name(path);
    result_.pictures.emplace_back(name, blp::write(*encoded));
    texture.path.assign(path.substr(0, path.size() - last_part(path).size()) + name);
  });
}

ClassicTextures ClassicBuilder::make() {
  cut_masks();
  drop_unused();
  convert_pictures();
  return std::move(result_);
}

}  // namespace

ClassicTextures make_classic(mdx::Document& converted, const mdx::Document& original,
                             const Sources& sources) {
  return ClassicBuilder(converted, original, sources).make();
}

}  // namespace thaw
