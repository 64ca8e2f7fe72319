// State shared by the parts of from_scene while a WMO is being built.
#pragma once

#include "formats/wow/wmo/convert.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "scene/axes.hpp"
#include "scene/embedded_images.hpp"
#include "scene/math.hpp"
#include "scene/source.hpp"

#include <thaw/codes.hpp>

#include <map>
#include <optional>

namespace thaw::wmo {

using scene::Index;
using scene::kNone;
using scene::Mat4d;
using scene::Vec3d;

/// Texts, each once, addressed by where they begin.
class NameTable {
 public:
  std::uint32_t add(std::string_view name);
  Strings strings;

 private:
  std::map<std::string, std::uint32_t, std::less<>> known_;
};

/// What a mesh is for.
enum class Role : std::uint8_t { drawn, collision, liquid, portal, none };

struct Corner {
  Vec3 position{};
  Vec3 normal{};
  Vec2 uv{};
  Bgra color{255, 255, 255, 255};
};
struct Face {
  std::array<Corner, 3> corners;
  std::uint8_t material = Faces::kNoMaterial;
  std::uint8_t flags = Faces::kRender;
};

/// A group under construction.
struct Draft {
  std::string name;
  Index node = kNone;  ///< that stands for it; none for what was divided
  std::vector<Face> faces;
  std::vector<std::array<Vec3, 3>> collision;
  bool has_collision = false;  ///< what stops players is said apart from what is drawn
  bool colored = false;
  std::vector<Liquid> liquids;
  std::vector<PortalReference> portals;
  Array<std::uint16_t> lights;
  Array<std::uint16_t> doodads;
  Box box;
};

struct WmoBuilder {
  WmoBuilder(const scene::Scene& scene_, const FromSceneOptions& options_, Diagnostics& diagnostics_);

  const scene::Scene& scene;
  const FromSceneOptions& options;
  Diagnostics& diagnostics;
  double units;              ///< of the game in a metre
  std::vector<Mat4d> world;  ///< by node

  // Found out first (roles.cpp).
  std::vector<Role> roles;           ///< by node
  std::vector<bool> in_doodad;       ///< by node: it is a part of a model that stands in the building
  std::vector<Index> group_of_node;  ///< the node that is marked as its group; none
  bool came_back = false;            ///< it was a building once

  // The output.
  std::vector<Draft> drafts;
  std::map<std::int64_t, std::size_t> draft_of_group;  ///< by the number that a group had
  std::vector<Material> materials;
  std::map<Index, std::uint8_t> material_numbers;  ///< by material of the scene
  NameTable textures;
  scene::ImageFileNames embedded_names;
  std::map<Index, std::string> embedded;  ///< where pictures of the scene's textures are to lie
  bool has_white = false;
  std::vector<WmoTexture> pictures;
  Points portal_corners;
  std::vector<Portal> portals;
  std::vector<Light> lights;
  std::vector<DoodadSet> doodad_sets;
  NameTable doodad_names;
  std::vector<Doodad> doodads;
  std::vector<Fog> fogs;
  std::string lost_collision;  ///< as BuildingOfScene
  std::string lost_doodads;
  std::map<std::string, std::size_t> counted_losses;  ///< reported once, with their count

  void lose(std::string what) { diagnostics.add(codes::kSceneLost, std::move(what)); }
  void change(std::string what) { diagnostics.add(codes::kSceneChanged, std::move(what)); }
  void add(std::string what) { diagnostics.add(codes::kSceneAdded, std::move(what)); }

  /// The extras of a node of a WMO.
  [[nodiscard]] const Value& wmo_extras(Index node) const {
    return scene::extras_of(scene.nodes[node], "wmo");
  }
  [[nodiscard]] Vec3 position(const Vec3d& p) const {
    const Vec3d turned = scene::to_z_up(p, scene::Axes::x_front);
    return scene::narrow(Vec3d{turned[0] * units, turned[1] * units, turned[2] * units});
  }
  [[nodiscard]] static Vec3 direction(const Vec3d& d) {
    return scene::narrow(scene::to_z_up(d, scene::Axes::x_front));
  }
  [[nodiscard]] Vec3 place_of(Index node) const { return position(scene::translation_of(world[node])); }
  /// The smallest group whose box, grown by `more` yards, has a point; none where there is none.
  [[nodiscard]] std::optional<std::size_t> room_at(const Vec3& point, float more) const;
};

/// A whole number from extras that a field of so many bits holds.
template <class T>
T whole(const Value& value, T otherwise) {
  const auto number = value.integer();
  return number && *number >= 0 && *number <= std::numeric_limits<T>::max() ? static_cast<T>(*number)
                                                                            : otherwise;
}
inline float real(const Value& value, float otherwise) {
  const auto number = value.number();
  return number ? scene::to_float(*number) : otherwise;
}
/// Four bytes as they stand in the file.
Bgra color_of(const Value& value, const Bgra& otherwise);
/// R G B of 0 to 1.
Bgra color_of(const Vec3& color);

/// The path of the model that stands at a node; empty where none does.
std::string doodad_path(const scene::Node& node);  ///< objects.cpp
inline bool is_doodad(const WmoBuilder& builder, Index node) {
  return !doodad_path(builder.scene.nodes[node]).empty();
}

// In the order of the work.
void find_roles(WmoBuilder& builder);                           ///< roles.cpp
std::uint8_t material_of(WmoBuilder& builder, Index material);  ///< materials.cpp
Result<void> draft_groups(WmoBuilder& builder);                 ///< groups.cpp
void add_liquids(WmoBuilder& builder);                          ///< liquids.cpp
void divide_groups(WmoBuilder& builder);                        ///< groups.cpp
void add_portals(WmoBuilder& builder);                          ///< objects.cpp
void add_lights(WmoBuilder& builder);
void add_doodads(WmoBuilder& builder);
void add_fogs(WmoBuilder& builder);
Group make_group(const WmoBuilder& builder, const Draft& draft, std::size_t number);  ///< groups.cpp
/// The draft that a mesh apart from the drawn ones belongs to.
Draft& draft_for(WmoBuilder& builder, const scene::Mesh& mesh, const Vec3& middle);

}  // namespace thaw::wmo
