// Materials of a scene as MOMT (wmo.md#materials), with the pictures that they name.
#include "formats/wow/wmo/from_scene/wmo_builder.hpp"
#include "scene/uv.hpp"

#include <algorithm>

namespace thaw::wmo {
namespace {

constexpr std::string_view kWhite = "white";

/// By the number that files have.
constexpr std::array kModes = {scene::BlendMode::opaque, scene::BlendMode::mask, scene::BlendMode::blend,
                               scene::BlendMode::additive};

class MaterialBuilder {
 public:
  MaterialBuilder(WmoBuilder& builder, const scene::Material& source)
      : builder_(builder), source_(source), extras_(scene::extras_of(source, "wmo")) {}

  Material make() {
    const scene::Layer layer = source_.layers.empty() ? scene::Layer() : source_.layers.front();
    Material result;
    result.version = whole<std::uint32_t>(extras_["version"], 0);
    result.flags = flags(layer);
    result.blend_mode = blend(layer.blend);
    result.glow_color = color_of(extras_["sidnColor"], {});
    result.diffuse_color = color_of(extras_["diffuseColor"], {150, 150, 150, 255});
    result.ground_type = whole<std::uint32_t>(extras_["groundType"], 0);
    result.texture1 = result.texture2 = texture(layer.texture);
    if (const std::string& second = extras_["texture2"].text(); !second.empty()) {
      result.texture2 = builder_.textures.add(second);
    }
    count_losses(layer);
    return result;
  }

 private:
  [[nodiscard]] std::uint32_t flags(const scene::Layer& layer) {
    constexpr std::uint32_t kKnown = 0xFF;
    const auto stated = whole<std::uint32_t>(extras_["flags"], 0);
    std::uint32_t flags = stated & kKnown;
    if (stated != flags) {
      ++builder_.counted_losses["materials written without flags that version 14 does not have"];
    }
    const auto set = [&](std::uint32_t bit, bool on) { flags = on ? flags | bit : flags & ~bit; };
    // Interior groups show their materials unlit when their light is in the colours.
    set(Material::kUnlit,
        layer.unshaded && (!extras_["flags"].integer() || (stated & Material::kUnlit) != 0));
    set(Material::kUnfogged, layer.unfogged);
    set(Material::kTwoSided, layer.two_sided);
    if (layer.texture < builder_.scene.textures.size()) {
      set(Material::kClampS, !builder_.scene.textures[layer.texture].wrap_u);
      set(Material::kClampT, !builder_.scene.textures[layer.texture].wrap_v);
    }
    return flags;
  }

  [[nodiscard]] std::uint32_t blend(scene::BlendMode mode) {
    const auto known = std::find(kModes.begin(), kModes.end(), mode);
    if (known != kModes.end()) {
      return static_cast<std::uint32_t>(known - kModes.begin());
    }
    const bool light = mode == scene::BlendMode::add_alpha;
    ++builder_.counted_losses[light ? "materials with additive blending weighted by alpha changed to "
                                      "additive blending that ignores alpha"
                                    : "materials with multiplicative blending changed to alpha blending"];
    return light ? 3 : 2;
  }

  std::uint32_t texture(Index texture) {
    if (scene::is_embedded(builder_.scene, texture)) {
      const auto [entry, fresh] = builder_.embedded.try_emplace(texture);
      if (fresh) {
        entry->second = builder_.options.texture_path + builder_.embedded_names.take(builder_.scene, texture);
        builder_.pictures.push_back({texture, entry->second, {}});
      }
      return builder_.textures.add(entry->second + ".blp");
    }
    if (texture < builder_.scene.textures.size() && !builder_.scene.textures[texture].path.empty()) {
      return builder_.textures.add(builder_.scene.textures[texture].path);
    }
    return white();
  }

  std::uint32_t white() {
    constexpr std::uint32_t kSide = 8;
    const std::string path = builder_.options.texture_path + std::string(kWhite);
    if (!builder_.has_white) {
      builder_.has_white = true;
      builder_.pictures.push_back({kNone, path, {kSide, kSide, Bytes(std::size_t{kSide} * kSide * 4, 255)}});
      builder_.add("white texture added for materials without a texture");
    }
    return builder_.textures.add(path + ".blp");
  }

  void count_losses(const scene::Layer& layer) {
    const auto count = [&](bool lost, const char* what) {
      if (lost) {
        ++builder_.counted_losses[what];
      }
    };
    count(source_.layers.size() > 1, "materials reduced to their first layer");
    count(layer.alpha < 1, "materials written without their overall transparency");
    count(layer.physically_based, "physically based materials reduced to their base colour");
    count(layer.sphere_map, "materials written without their sphere map");
    count(layer.uv_set > 0, "materials changed to use the first UV set");
    count(scene::is_moved(builder_.scene, layer.uv_animation),
          "materials written without their texture animation");
    count(layer.texture < builder_.scene.textures.size() &&
              builder_.scene.textures[layer.texture].replaceable_id > 0 &&
              !scene::is_embedded(builder_.scene, layer.texture),
          "materials with a texture that the game chooses (replaceable id) changed to white");
  }

  WmoBuilder& builder_;
  const scene::Material& source_;
  const Value& extras_;
};

}  // namespace

std::uint8_t material_of(WmoBuilder& builder, Index material) {
  const auto known = builder.material_numbers.find(material);
  if (known != builder.material_numbers.end()) {
    return known->second;
  }
  static const scene::Material kNothing;
  const auto& all = builder.scene.materials;
  const Material converted =
      MaterialBuilder(builder, material < all.size() ? all[material] : kNothing).make();
  // The same material is there twice where a room with its light in the colours has it.
  const auto same = std::find(builder.materials.begin(), builder.materials.end(), converted);
  const auto number = static_cast<std::size_t>(same - builder.materials.begin());
  if (same == builder.materials.end()) {
    builder.materials.push_back(converted);
  }
  const auto result = static_cast<std::uint8_t>(std::min<std::size_t>(number, Faces::kNoMaterial));
  builder.material_numbers.emplace(material, result);
  return result;
}

}  // namespace thaw::wmo
