// Terrain of World of Warcraft's alpha as scenes and pictures. See wow-alpha-world.md#ground;
// docs/user/worlds.md tells what was chosen where nothing is known.
//
// Scenes have Y up, north along +Z and west along +X: (x, y, z) of the world becomes (y, z, x). Every tile is
// a node at its north-west corner, so that numbers within it stay small.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/grey.hpp>
#include <thaw/image.hpp>
#include <thaw/scene.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::scene {
class LiquidMaterials;
}

namespace thaw::world {

// --- scenes

/// What the ground of a scene is made of.
enum class GroundLook : std::uint8_t {
  baked,  ///< one picture per tile: its layers blended as the client does, shadows included
  splat,  ///< the lowest layer's textures, repeated as in the game; the others: `alpha_map`, `shadow_map`
  plain,  ///< no textures
};

/// What of a tile is taken.
struct TileLayers {
  bool terrain = true;
  bool liquid = true;
  bool buildings = true;
  bool doodads = true;
  bool far_terrain = false;  ///< the coarse heights of the WDL: a lesser detail of the terrain, or alone
};

/// The two sorts of things that stand in a map.
enum class PlacedKind : std::uint8_t { doodad, building };

/// A model by its name in the map, as the file has it; null if there is none. `set` is the building's doodad
/// set.
using OpenModel = std::function<std::shared_ptr<const scene::Scene>(PlacedKind kind, std::string_view name,
                                                                    std::uint16_t set)>;
/// A ground texture by its name; null if there is none.
using OpenTexture = std::function<std::shared_ptr<const Image>(std::string_view name)>;

/// Unit and content of a scene, the look of its ground, and where models and textures come from.
struct SceneOptions {
  /// Units per yard, above 0. By default a yard becomes a unit, as other tools do it; 0.9144 is true to size.
  float scale = 1;
  GroundLook look = GroundLook::baked;
  /// Pixels per side of a tile's baked picture, rounded to a multiple of 16 from 16 to 8192.
  std::uint32_t bake_size = 1024;
  TileLayers layers;
  OpenModel open_model;      ///< none: placements are nodes without content
  OpenTexture open_texture;  ///< none: every texture has a colour made from its name
  /// The client's pictures of liquids, which no map names (docs/user/worlds.md#liquids); where there are
  /// none, they are made.
  OpenTexture liquid_texture = nullptr;
  /// Colours of river and ocean, each shallow and deep, with the light that they have; none: usual ones.
  std::optional<std::array<Vec3, 4>> water = std::nullopt;
  /// How strongly the layers above a chunk's first are baked in, 0 to 1; none: as they are.
  std::function<float(TileIndex tile, const wdt::Chunk& chunk)> upper_layers;
  /// With GroundLook::baked, pixels per side of a picture that a chunk has for itself, 0 for one that the
  /// tile's picture shows; none: that shows all.
  std::function<std::uint32_t(TileIndex tile, const wdt::Chunk& chunk)> chunk_pictures;
  const Control* control = nullptr;  ///< as ReadOptions::control; a stopped scene lacks what was to come
};

/// The ground that is in a scene: the chunk at a row and a column of the whole map (16 to a tile), or null.
using NearGround = std::function<const wdt::Chunk*(std::size_t row, std::size_t column)>;

/// Puts tiles into one scene.
class SceneBuilder {
 public:
  /// The map must live as long as the builder. `name` is that of the map.
  SceneBuilder(const wdt::Map& map, std::string_view name, SceneOptions options, Diagnostics& diagnostics);
  /// A temporary map would not.
  SceneBuilder(const wdt::Map&& map, std::string_view name, SceneOptions options,
               Diagnostics& diagnostics) = delete;
  SceneBuilder(const SceneBuilder&) = delete;
  SceneBuilder(SceneBuilder&&) = delete;
  SceneBuilder& operator=(const SceneBuilder&) = delete;
  SceneBuilder& operator=(SceneBuilder&&) = delete;
  ~SceneBuilder() = default;

  /// `far` is the tile's area of the WDL, or null. Placements that no chunk refers to are left out, as the
  /// client leaves them, and so is one whose unique id an earlier tile had.
  void add_tile(const wdt::Tile& tile, const wdl::Area* far = nullptr);
  /// Far terrain alone; with a colour, that of the fog it stands in, it has no shades. Where there are chunks
  /// it has no cells, and walls from its edges to theirs.
  void add_far(const wdl::Area& far, const std::optional<Vec3>& color, const NearGround& near = {});
  /// The building that is the map, if it is one (wdt.md#map-buildings).
  void add_map_object();
  /// The scene of everything that was added. The builder is of no further use.
  scene::Scene take();

 private:
  scene::Index add_mesh(scene::Mesh mesh, std::string name, scene::Index parent, const Vec3& origin);
  scene::Index ground_material(const wdt::Tile& tile, std::uint32_t group);
  scene::Index baked_material(const wdt::Tile& tile, std::uint32_t group);
  [[nodiscard]] float strength_of_upper_layers(const wdt::Tile& tile, const wdt::Chunk& chunk) const;
  void add_ground(const wdt::Tile& tile, scene::Index parent, const wdl::Area* far);
  void add_liquids(const wdt::Tile& tile, scene::Index parent);
  void add_doodads(const wdt::Tile& tile, scene::Index parent);
  void add_buildings(const wdt::Tile& tile, scene::Index parent);
  void place(PlacedKind kind, std::string_view name, std::uint16_t set, scene::Node node);
  void grow(const scene::Mesh& mesh, const Vec3& origin);

  const wdt::Map& map_;
  SceneOptions options_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> doodad_names_;
  std::vector<std::string_view> building_names_;
  std::set<std::pair<PlacedKind, std::uint32_t>> placed_;
  scene::Index far_material_ = scene::kNone;
  std::map<std::tuple<PlacedKind, std::string, std::uint16_t>, scene::Index> models_;
  bool bounded_ = false;
  scene::Scene scene_;
  std::shared_ptr<scene::LiquidMaterials> liquids_;  ///< of the scene; once there are some
};

/// All areas of a WDL as one scene.
scene::Scene to_scene(const wdl::Document& document, std::string_view name, float scale);

// --- transforms (wow-alpha-world.md#placements)

/// Where a placement stands in the world: position in yards, rotation x y z w, both in the axes of the world.
struct Pose {
  std::array<double, 3> position{};
  std::array<double, 4> rotation{0, 0, 0, 1};
  double scale = 1;
};
/// Where a model stands.
Pose pose_of(const wdt::Doodad& doodad);
/// Where a building stands in a tile.
Pose pose_of(const wdt::MapObject& object);
/// Where the building stands that is the map (wow-alpha-world.md#buildings-that-are-maps).
Pose pose_of_map(const wdt::MapObject& object);

// --- pictures

/// The ground of a tile from above, `size` pixels per side (rounded as SceneOptions::bake_size): layers
/// blended one over the other by their 4-bit alpha, then darkened by the shadow map. North is up. `upper`
/// tells of each chunk how strongly its layers above the first are seen, 0 to 1; none: as they are. Chunks
/// that come after `control` was stopped stay black.
Image bake(const wdt::Tile& tile, const OpenTexture& open_texture, std::uint32_t size,
           const std::function<float(const wdt::Chunk&)>& upper = nullptr, const Control* control = nullptr);

/// How the minimap is lit.
struct GroundLight {
  Vec3 direct{0.75F, 0.75F, 0.7F};
  Vec3 ambient{0.45F, 0.45F, 0.5F};
  /// Towards the light, in the axes of the world; of length 1. The format says nothing of it: from the
  /// north-west, as maps are shaded.
  Vec3 direction{0.53452248F, 0.53452248F, 0.65465367F};
};
/// The ground lit by its normals, liquids over it, holes transparent.
Image minimap(const wdt::Tile& tile, const OpenTexture& open_texture, std::uint32_t size,
              const GroundLight& light);

/// Alpha of the second to the fourth layer of each chunk as R, G and B: 1024 pixels per side.
Image alpha_map(const wdt::Tile& tile);
/// 255 in shadow, else 0; 1024 pixels per side, one byte per pixel.
GreyImage shadow_map(const wdt::Tile& tile);
/// The number of each chunk's area, one pixel per chunk, 16 bits.
GreyImage area_map(const wdt::Tile& tile);
/// The number of each chunk's zone, one pixel per chunk, 16 bits.
GreyImage zone_map(const wdt::Tile& tile);
/// 255 where a cell is a hole, else 0; one pixel per cell, 128 per side.
GreyImage hole_map(const wdt::Tile& tile);

// --- several tiles in one picture, north up and west to the left

/// The rectangle of columns and rows that all of some tiles lie in.
struct TileFrame {
  std::size_t left = wdt::kTilesPerSide;
  std::size_t top = wdt::kTilesPerSide;
  std::size_t right = 0;   ///< one behind the last
  std::size_t bottom = 0;  ///< one behind the last

  /// Around at least one tile.
  explicit TileFrame(const std::vector<wdt::TilePosition>& tiles);

  [[nodiscard]] std::size_t columns() const { return right - left; }  ///< how many
  [[nodiscard]] std::size_t rows() const { return bottom - top; }     ///< how many
};

/// A picture for all tiles of a frame, which are put into it one by one.
class TilePicture {
 public:
  TilePicture() = default;  ///< of no tiles
  /// `side` is that of a tile in pixels; where no tile is, the background shows.
  TilePicture(const TileFrame& frame, std::uint32_t side, const std::array<std::uint8_t, 4>& background);

  /// `part` is the picture of the tile, `side` pixels wide and high; the tile lies in the frame.
  void put(const Image& part, std::size_t x, std::size_t y);

  [[nodiscard]] const Image& image() const { return image_; }  ///< as far as it is
  Image take() { return std::move(image_); }                   ///< the picture itself

 private:
  std::size_t left_ = 0;
  std::size_t top_ = 0;
  Image image_;
};

// --- heights

/// A square lattice of heights in yards; rows southward, columns eastward.
struct HeightGrid {
  std::uint32_t side = 0;  ///< samples per row and column
  Array<float> heights;
  std::uint32_t missing = 0;  ///< samples that no chunk gives; they are 0
};

/// Samples per side of a tile that `heights_of` knows: the corners and middles of all cells and what lies
/// half-way between (257), the corners of cells (129), or those of chunks (17).
inline constexpr std::array<std::uint32_t, 3> kGrids = {257, 129, 17};

/// Heights of a tile; `side` is one of kGrids. Between two corners of a cell the mean, which is what the
/// triangles have there. Heights that are no numbers count as missing.
HeightGrid heights_of(const wdt::Tile& tile, std::uint32_t side);
/// Of far terrain: 33 samples per side, or 17 without the middles of chunks.
HeightGrid heights_of(const wdl::Area& area, std::uint32_t side);

}  // namespace thaw::world

#pragma GCC visibility pop
