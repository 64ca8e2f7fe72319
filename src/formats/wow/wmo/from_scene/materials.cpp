// Materials of a scene as MOMT (wmo.md#materials), with the pictures that they name.
#include "formats/wow/wmo/from_scene/maker.hpp"
#include "scene/uv.hpp"

#include <algorithm>

namespace thaw::wmo {
namespace {

constexpr std::string_view kWhite = "white";

/// By the number that files have.
constexpr std::array kModes = {scene::BlendMode::opaque, scene::BlendMode::mask, scene::BlendMode::blend,
                               scene::BlendMode::additive};

class MaterialMaker {
 public:
  MaterialMaker(BuildingMaker& maker, const scene::Material& source)
      : maker_(maker), source_(source), own_(source.extras["thaw"]["wmo"]) {}

  Material make() {
    const scene::Layer layer = source_.layers.empty() ? scene::Layer() : source_.layers.front();
    Material made;
    made.version = whole<std::uint32_t>(own_["version"], 0);
    made.flags = flags(layer);
    made.blend_mode = blend(layer.blend);
    made.glow_color = color_of(own_["sidnColor"], {});
    made.diffuse_color = color_of(own_["diffuseColor"], {150, 150, 150, 255});
    made.ground_type = whole<std::uint32_t>(own_["groundType"], 0);
    made.texture1 = made.texture2 = texture(layer.texture);
    if (const std::string& second = own_["texture2"].text(); !second.empty()) {
      made.texture2 = maker_.textures.add(second);
    }
    count_losses(layer);
    return made;
  }

 private:
  [[nodiscard]] std::uint32_t flags(const scene::Layer& layer) {
    constexpr std::uint32_t kKnown = 0xFF;
    const auto kept = whole<std::uint32_t>(own_["flags"], 0);
    std::uint32_t flags = kept & kKnown;
    if (kept != flags) {
      ++maker_.counted_losses["material flags that version 14 does not have left out"];
    }
    const auto set = [&](std::uint32_t bit, bool on) { flags = on ? flags | bit : flags & ~bit; };
    // Interior groups show their materials unlit when their light is in the colours.
    set(Material::kUnlit, layer.unshaded && (!own_["flags"].integer() || (kept & Material::kUnlit) != 0));
    set(Material::kUnfogged, layer.unfogged);
    set(Material::kTwoSided, layer.two_sided);
    if (layer.texture < maker_.scene.textures.size()) {
      set(Material::kClampS, !maker_.scene.textures[layer.texture].wrap_u);
      set(Material::kClampT, !maker_.scene.textures[layer.texture].wrap_v);
    }
    return flags;
  }

  [[nodiscard]] std::uint32_t blend(scene::BlendMode mode) {
    const auto known = std::find(kModes.begin(), kModes.end(), mode);
    if (known != kModes.end()) {
      return static_cast<std::uint32_t>(known - kModes.begin());
    }
    const bool light = mode == scene::BlendMode::add_alpha;
    ++maker_.counted_losses[light ? "materials with additive blending by opacity changed to fully additive"
                                  : "materials with multiplicative blending changed to alpha blending"];
    return light ? 3 : 2;
  }

  std::uint32_t texture(Index texture) {
    if (scene::is_carried(maker_.scene, texture)) {
      const auto [entry, fresh] = maker_.carried.try_emplace(texture);
      if (fresh) {
        entry->second = maker_.options.texture_path + maker_.carried_names.take(maker_.scene, texture);
        maker_.pictures.push_back({texture, entry->second, {}});
      }
      return maker_.textures.add(entry->second + ".blp");
    }
    if (texture < maker_.scene.textures.size() && !maker_.scene.textures[texture].path.empty()) {
      return maker_.textures.add(maker_.scene.textures[texture].path);
    }
    return white();
  }

  std::uint32_t white() {
    constexpr std::uint32_t kSide = 8;
    const std::string path = maker_.options.texture_path + std::string(kWhite);
    if (!maker_.has_white) {
      maker_.has_white = true;
      maker_.pictures.push_back({kNone, path, {kSide, kSide, Bytes(std::size_t{kSide} * kSide * 4, 255)}});
      maker_.add("white texture added for materials without a texture");
    }
    return maker_.textures.add(path + ".blp");
  }

  void count_losses(const scene::Layer& layer) {
    const auto count = [&](bool lost, const char* what) {
      if (lost) {
        ++maker_.counted_losses[what];
      }
    };
    count(source_.layers.size() > 1, "materials reduced to their first layer");
    count(layer.alpha < 1, "materials that lost their overall transparency");
    count(layer.physically_based, "physically based materials reduced to their base colour");
    count(layer.sphere_map, "sphere maps left out");
    count(layer.uv_set > 0, "materials that lost their second UV set");
    count(scene::is_moved(maker_.scene, layer.uv_animation), "materials that lost their texture animation");
    count(layer.texture < maker_.scene.textures.size() &&
              maker_.scene.textures[layer.texture].replaceable_id > 0 &&
              !scene::is_carried(maker_.scene, layer.texture),
          "textures chosen by the game (replaceable ids) replaced with white");
  }

  BuildingMaker& maker_;
  const scene::Material& source_;
  const Value& own_;
};

}  // namespace

std::uint8_t material_of(BuildingMaker& maker, Index material) {
  const auto known = maker.material_numbers.find(material);
  if (known != maker.material_numbers.end()) {
    return known->second;
  }
  static const scene::Material kNothing;
  const auto& all = maker.scene.materials;
  const Material made = MaterialMaker(maker, material < all.size() ? all[material] : kNothing).make();
  // The same material is there twice where a room with its light in the colours has it.
  const auto same = std::find(maker.materials.begin(), maker.materials.end(), made);
  const auto number = static_cast<std::size_t>(same - maker.materials.begin());
  if (same == maker.materials.end()) {
    maker.materials.push_back(made);
  }
  const auto result = static_cast<std::uint8_t>(std::min<std::size_t>(number, Faces::kNoMaterial));
  maker.material_numbers.emplace(material, result);
  return result;
}

}  // namespace thaw::wmo
