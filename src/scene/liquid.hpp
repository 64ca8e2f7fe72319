// Look of liquids, on maps and in buildings alike (docs/user/worlds.md#liquids).
#pragma once

#include <thaw/scene.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace thaw::scene {

enum class Liquid : std::uint8_t { river, ocean, magma, slime };
inline constexpr std::size_t kLiquids = 4;

/// Where the texture coordinates lie that `LiquidMaterials` counts on: those of the pictures, and the depth
/// from 0 to 1 as U.
inline constexpr unsigned kLiquidUvs = 0;
inline constexpr unsigned kDepthUvs = 1;

/// Colours of river and ocean, each where it is shallow and where it is deep.
using WaterColors = std::array<Vec3, 4>;

/// Colour and opacity at a depth from 0 to 1.
Vec4 liquid_color(Liquid liquid, float depth, const std::optional<WaterColors>& water = {});

/// The client's picture of a liquid by its number from 1 on.
std::string liquid_path(Liquid liquid, unsigned number);

/// Loops alongside all clips: pictures that follow each other, and what drifts with the current.
inline constexpr std::string_view kPicturesOfLiquids = "liquids";
inline constexpr std::string_view kCurrents = "currents";

/// Adds materials of liquids to a scene, each once: pictures that follow each other in a loop alongside all
/// clips, and drift with the current.
class LiquidMaterials {
 public:
  using OpenPicture = std::function<std::shared_ptr<const Image>(std::string_view path)>;

  /// `open` gives the client's pictures, null for those that are not there; without it all are made. With
  /// `water`, what light there is is in those colours already.
  LiquidMaterials(Scene& scene, OpenPicture open, const std::optional<WaterColors>& water = {})
      : scene_(scene), open_(std::move(open)), water_(water) {}

  /// `flow` is how far the pictures move in a second, in texture coordinates.
  Index material(Liquid liquid, const Vec2& flow = {});
  /// Whether pictures of a liquid were requested and are missing.
  [[nodiscard]] bool lacks(Liquid liquid) const { return lacking_.at(static_cast<std::size_t>(liquid)); }

 private:
  Index add_picture(std::string name, std::string source, Image image, bool wraps);
  const std::vector<Index>& pictures(Liquid liquid);
  Clip& loop(std::string_view name, float duration);
  void play(Index material, Index layer, const std::vector<Index>& pictures);
  Index drift(const Vec2& flow);
  void add_layers(Material& material, Liquid liquid);

  Scene& scene_;
  OpenPicture open_;
  std::optional<WaterColors> water_;
  std::array<std::vector<Index>, kLiquids> pictures_;
  std::array<Index, kLiquids> depths_{kNone, kNone, kNone, kNone};
  std::array<bool, kLiquids> lacking_{};
  std::map<std::pair<Liquid, Vec2>, Index> materials_;
};

}  // namespace thaw::scene
