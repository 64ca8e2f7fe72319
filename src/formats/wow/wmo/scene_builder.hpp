// State shared by the parts of the conversion into a scene.
#pragma once

#include <thaw/wmo.hpp>

#include "bytes/finite.hpp"
#include "formats/wow/wmo/building.hpp"
#include "scene/axes.hpp"
#include "scene/liquid.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace thaw::wmo {

/// X north, Y west, Z up → north +Z, west +X, Y up (wow-alpha-world.md#axes). Non-finite components become 0.
inline Vec3 to_y_up(const Vec3& v) {
  return scene::to_y_up(Vec3{finite_or_zero(v[0]), finite_or_zero(v[1]), finite_or_zero(v[2])},
                        scene::Axes::x_front);
}

inline Vec4 to_color(const Bgra& color) {
  constexpr float kFull = 255;
  return {static_cast<float>(color[2]) / kFull, static_cast<float>(color[1]) / kFull,
          static_cast<float>(color[0]) / kFull, static_cast<float>(color[3]) / kFull};
}

template <class Numbers>
Value list_of(const Numbers& numbers) {
  Value list = Value::List{};
  for (const auto number : numbers) {
    if constexpr (std::is_floating_point_v<std::remove_const_t<decltype(number)>>) {
      list.push(number);
    } else {
      list.push(std::int64_t{number});
    }
  }
  return list;
}

struct SceneBuilder {
  const Building& building;
  const SceneOptions& options;
  Diagnostics& diagnostics;
  scene::Scene scene{};
  /// By MOMT index, and whether the light is in the vertex colours.
  std::map<std::pair<std::size_t, bool>, scene::Index> materials{};
  std::map<std::string, scene::Index> textures{};
  std::map<int, scene::Index> surfaces{};  ///< materials without a picture, by what they show
  std::optional<scene::LiquidMaterials> liquids{};

  /// A position or length in the scene's unit.
  [[nodiscard]] Vec3 position(const Vec3& v) const {
    const Vec3 turned = to_y_up(v);
    return {turned[0] * options.scale, turned[1] * options.scale, turned[2] * options.scale};
  }
  scene::Index add_node(std::string name, scene::Index parent, scene::NodeKind kind) {
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.kind = kind;
    scene.nodes.push_back(std::move(node));
    return static_cast<scene::Index>(scene.nodes.size() - 1);
  }
  scene::Index texture(std::string_view path, bool wrap_u, bool wrap_v);
  /// The material of a MOMT entry; kNone if there is none. `baked`: its light is in the vertex colours.
  scene::Index material(std::size_t index, bool baked);
};

/// What has a colour of its own instead of a picture.
enum class Surface : std::uint8_t { collision, portal };
/// Gives a mesh of one part its material, colour and opacity.
void paint(SceneBuilder& builder, scene::Mesh& mesh, Surface surface);

void add_group(SceneBuilder& builder, std::size_t number, const Group& group);
void add_liquids(SceneBuilder& builder, const GroupParts& parts, const std::string& name,
                 scene::Index parent);
void add_collision(SceneBuilder& builder, const GroupParts& parts, const std::string& name,
                   scene::Index parent);
void add_portals(SceneBuilder& builder);
void add_lights(SceneBuilder& builder);
void add_fogs(SceneBuilder& builder);
/// Which sets are shown; the error is wmo.doodad-set.
Result<std::vector<bool>> shown_sets(const Building& building, const SceneOptions& options);
void add_doodads(SceneBuilder& builder, const std::vector<bool>& shown);

}  // namespace thaw::wmo
