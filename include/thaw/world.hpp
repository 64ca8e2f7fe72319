// Maps of WoW Alpha as its client shows them: view distance, terrain, light and fog of the hour, as scenes
// and frames; and new maps. See wow-alpha-world.md#axes; docs/user/worlds.md states what is proven and what
// was chosen.
//
// Lengths are yards in the axes of the world: x north, y west, z up, the middle of the map at 0, 0.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/control.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/frame.hpp>
#include <thaw/image.hpp>
#include <thaw/lit.hpp>
#include <thaw/scene.hpp>
#include <thaw/value.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
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

/// What the client of World of Warcraft's alpha shows of its maps.
namespace thaw::world {

// --- the grid (wow-alpha-world.md#grid)

inline constexpr std::uint32_t kTilesPerSide = 64;                ///< of the map
inline constexpr std::uint32_t kChunksPerSide = 16;               ///< of a tile
inline constexpr std::uint32_t kCellsPerSide = 8;                 ///< of a chunk
inline constexpr double kTileSize = 1600.0 / 3;                   ///< yards
inline constexpr double kChunkSize = kTileSize / kChunksPerSide;  ///< yards
inline constexpr double kCellSize = kChunkSize / kCellsPerSide;   ///< yards
/// North and west of the map's north-west corner.
inline constexpr double kMapEdge = kTileSize * kTilesPerSide / 2;
inline constexpr double kMetresPerYard = 0.9144;  ///< for scenes in metres

/// A tile by its column (x, west to east) and row (y, north to south), 0 to 63, as in the names of later
/// files.
struct TileIndex {
  std::uint8_t x = 0;
  std::uint8_t y = 0;

  /// Its place in the file's tables.
  [[nodiscard]] constexpr std::size_t index() const { return std::size_t{y} * kTilesPerSide + x; }
  friend bool operator==(const TileIndex&, const TileIndex&) = default;
  /// In the order of the file: by rows.
  friend bool operator<(const TileIndex& a, const TileIndex& b) { return a.index() < b.index(); }
};

/// A box in the axes of the world.
struct Box {
  Vec3 minimum{};
  Vec3 maximum{};
};

/// The north-west corner of a tile or of a chunk in it (chunk_x column, chunk_y row), at height 0.
Vec3 corner_of(TileIndex tile, std::uint32_t chunk_x = 0, std::uint32_t chunk_y = 0);
/// The tile below a place; none outside of the map.
std::optional<TileIndex> tile_at(const Vec3& place);

// --- distance (wow-alpha-world.md#distance)

inline constexpr float kLeastFarClip = 177;  ///< yards
inline constexpr float kMostFarClip = 777;   ///< yards
/// Beyond the distance of texture detail, the upper layers of the ground fade out over this many yards.
inline constexpr float kLayerFade = 256;

/// The client's console takes values from 177 to 777 and refuses others; so does this.
bool accepts_far_clip(float far_clip);

/// From a place to the nearest point of a box; 0 inside.
float distance_to(const Vec3& place, const Box& box);

/// A tile and how far its square of ground is, heights left aside: they are not known before it is loaded.
struct NearTile {
  TileIndex tile;
  float distance = 0;
};
/// The tiles of the grid that come within the far clip, in the order of the file. No more than 16 do.
std::vector<NearTile> tiles_within(const Vec3& camera, float far_clip);

/// How strongly the layers above the first are seen, 0 to 1, at a distance, where detail ends at `detail`.
float upper_layers(float distance, float detail);

// --- fog (wow-alpha-world.md#fog)

/// Linear fog, in yards from the eye.
struct Fog {
  float start = 0;
  float end = 0;
  Vec3 color{};  ///< R G B, 0 to 1
  friend bool operator==(const Fog&, const Fog&) = default;
};

/// What is still seen of something: 1 before the start, 0 after the end, linear between. Where the end does
/// not lie after the start, all is seen before the end and nothing from there on.
float fog_visibility(float distance, float start, float end);

/// One fog of a building (MFOG), its position in the axes of the building or of whatever states the place.
struct IndoorFog {
  Vec3 position{};
  float small_radius = 0;   ///< full effect within
  float large_radius = 0;   ///< none beyond; 0 or less: the fog has no borders
  bool everywhere = false;  ///< it has no borders, whatever the radii say
  float end = 0;            ///< yards
  float start_scalar = 0;   ///< the fog starts at this share of its end
  Vec3 color{};
};

/// The fog in a group of a building: each of its fogs replaces what stands before it by its weight at the
/// place, the first of all the outdoor fog. With a weight of 1 nothing of the outdoor fog is left; none if
/// there is neither.
std::optional<Fog> indoor_fog(std::span<const IndoorFog> fogs, const Vec3& place,
                              const std::optional<Fog>& outdoor);

// --- light (lit.md#values)

/// Where and when light is requested.
struct LightQuery {
  Vec3 place{};
  float time = 1440;  ///< half-minutes from midnight, 0 to 2880; others wrap
  float storm = 0;    ///< 0 clear to 1 storm
  bool under_water = false;
  bool indoor_map = false;  ///< the map is one building: positions of lights count from its middle
};

/// How much a light of the file applies.
struct LightShare {
  std::size_t light = 0;
  float weight = 0;
};

/// What the lights of a map make of a place and a time.
struct LightValues {
  std::size_t tracks = 0;  ///< colours that the file has; those after them are 0
  /// R G B, 0 to 1, by lit::track_name.
  std::array<Vec3, lit::kMostTracks> colors{};
  std::optional<Fog> fog;          ///< none where no light states one
  std::vector<LightShare> shares;  ///< lights that reach the place, in the order in which they were mixed
};

/// The light at a place and time: the light of the whole map, over it each light that reaches the place by
/// its weight – 1 within its radius, falling to 0 over its dropoff – in the order of the file. None for a
/// file without values.
std::optional<LightValues> light_at(const lit::Document& document, const LightQuery& query);

/// Where a light is in the world.
Vec3 light_position(const lit::Light& light, bool indoor_map);

/// A colour over the day: between two markers linearly, over midnight from the last to the first. None
/// without markers.
std::optional<Vec3> color_at(const lit::Values& values, std::size_t track, float time);

/// Fog over the day, in yards: the slots in use, which end with the last that is above 0, are spread evenly
/// over the day. Colour of the track "fog". None if no slot is in use.
std::optional<Fog> fog_at(const lit::Values& values, float time);

}  // namespace thaw::world

// --- terrain as scenes and images (wow-alpha-world.md#ground; choices: docs/user/worlds.md). Scenes have Y
// up, north along +Z and west along +X: (x, y, z) of the world becomes (y, z, x). Every tile is a node at its
// north-west corner, so that numbers within it stay small.

namespace thaw::scene {
class LiquidMaterials;
}

namespace thaw::world {

// --- scenes

/// What the ground of a scene is made of.
enum class GroundStyle : std::uint8_t {
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
  GroundStyle look = GroundStyle::baked;
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
  /// With GroundStyle::baked, pixels per side of a picture that a chunk has for itself, 0 for one that the
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
/// states for each chunk how strongly its layers above the first are seen, 0 to 1; none: as they are. Chunks
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
  std::size_t right = 0;   ///< one past the last
  std::size_t bottom = 0;  ///< one past the last

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

// --- what the client shows of a map from a position: tiles, chunks and placements within the far clip, far
// terrain beyond it, fog and light of the hour

/// The fogs (MFOG) of the indoor group of a building that a place lies in, both in the building's axes: of
/// several groups whose boxes hold it, the one with the smallest. None where it lies in no such group.
/// `groups` as for wmo::to_scene.
std::optional<std::vector<IndoorFog>> fogs_around(const wmo::Document& building,
                                                  std::span<const wmo::Document* const> groups,
                                                  const Vec3& place, bool under_water = false);
/// The same of a building by its name in the map.
using OpenFogs =
    std::function<std::optional<std::vector<IndoorFog>>(std::string_view name, const Vec3& place)>;

/// Where the eye is, how far it sees, and what time it is.
struct ViewOptions {
  Vec3 camera{};  ///< yards, in the axes of the world
  float far_clip = kMostFarClip;
  float texture_detail = kLeastFarClip;  ///< yards beyond which upper layers begin to fade
  LightQuery light;                      ///< its place is the camera's
  OpenFogs open_fogs = nullptr;          ///< none: the fog is that of outdoors everywhere
};

/// How far something is, and what the fog leaves of it at its nearest point.
struct Visible {
  float distance = 0;
  float visibility = 1;
};

/// A chunk within the far clip.
struct ViewChunk {
  TileIndex tile;
  std::uint8_t x = 0;  ///< column in the tile, 0 to 15
  std::uint8_t y = 0;  ///< row in the tile, 0 to 15
  Visible seen;
  float upper_layers = 1;  ///< how strongly the layers above the first are seen
  std::uint32_t layers = 0;
  std::uint32_t triangles = 0;  ///< of the ground, holes left out
  std::uint32_t liquid_triangles = 0;
};

/// A tile that comes within the far clip.
struct ViewTile {
  TileIndex tile;
  float distance = 0;
  bool exists = false;          ///< the map has it, and it reads
  std::size_t chunks = 0;       ///< of those within the far clip
  std::uint64_t triangles = 0;  ///< of those chunks
};

/// A doodad or a building that stands in a map.
struct ViewPlacement {
  std::optional<TileIndex> tile;  ///< none of the building that is the map
  bool building = false;
  std::string name;  ///< UTF-8; empty where the map has no such name
  std::uint32_t unique_id = 0;
  Vec3 position{};
  Visible seen;
};

/// What is seen from a place.
struct View {
  std::optional<TileIndex> standing_on;  ///< none outside of the map
  std::vector<ViewTile> tiles;           ///< all that come within the far clip
  std::vector<ViewChunk> chunks;         ///< those within it
  std::vector<ViewPlacement>
      placements;                    ///< those that such a chunk refers to, each once; first, what is the map
  std::vector<TileIndex> far_tiles;  ///< areas of the WDL, where no tile is loaded
  std::uint64_t triangles = 0;       ///< of ground and liquids
  std::uint64_t far_triangles = 0;
  std::optional<LightValues> light;  ///< none without lights.lit
  /// Where the eye is: of the building that it is in, else of `light`; none where neither states one.
  std::optional<Fog> fog;
  std::string indoors;  ///< that building's name, UTF-8; empty outdoors
};

/// Reads the tiles within the far clip, and no others. `far` and `lights` may be null. Tiles that do not read
/// are reported and count as not there.
View view_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
               const ViewOptions& options = {}, Diagnostics& diagnostics = Diagnostics::discarded());

/// How high the ground is at a place, whose own height does not matter; none where there is no tile, no chunk
/// or a hole. Reads that tile.
std::optional<float> ground_at(const wdt::World& world, const Vec3& place,
                               Diagnostics& diagnostics = Diagnostics::discarded());

/// The box around a chunk's ground; numbers that are none are left out.
Box chunk_box(TileIndex tile, const wdt::Chunk& chunk);

// --- frames of maps: from a position as the client shows it, and of a tile from above (choices:
// docs/user/worlds.md)

/// A scene with its own lights, and how to look at it.
struct Sight {
  scene::Scene scene;
  frame::Camera camera;
  frame::Options options;
};

/// Where a picture is taken from, and what is in it.
struct PictureOptions {
  ViewOptions view;                  ///< the eye is its camera
  double heading = 0;                ///< radians from north towards west
  double pitch = 0;                  ///< radians above the horizon
  float field_of_view = 1.0471976F;  ///< radians between bottom and top
  float aspect = 1;                  ///< width by height
  /// Pixels from bottom to top: chunks near the eye have pictures of their own that are as fine as that; 0:
  /// their tiles' pictures are all that there is.
  std::uint32_t height = 0;
  bool fog = true;  ///< View::fog
  SceneOptions scene;
  GroundLight light;  ///< where no lights.lit says it; its direction always
  /// Light, fog and sky of a map with tiles where no lights.lit says them; none: `light` alone.
  std::optional<LightValues> otherwise = std::nullopt;
};

/// A clear day, for `otherwise`: GroundLight's light, a blue sky, and fog as far as buildings of the game
/// have it by default, if the far clip does not end before (docs/user/worlds.md#pictures-thaw-render-mapwdt).
LightValues usual_light(float far_clip);

/// Looks from a place: ground by chunks and what stands on it within the far clip, the far terrain where no
/// chunk is, under the sky of the hour. Reads the tiles within the far clip, and no others. `far` and
/// `lights` may be null. Tiles that do not read are reported and left out.
Sight look_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
                std::string_view name, const PictureOptions& options = {},
                Diagnostics& diagnostics = Diagnostics::discarded());

/// Looks down on one tile, which fills the picture: north up, as on a map, with what stands on it.
Sight look_down(const wdt::Map& map, const wdt::Tile& tile, std::string_view name,
                const SceneOptions& options, const GroundLight& light,
                Diagnostics& diagnostics = Diagnostics::discarded());

// --- new maps: from images and lists, and from tiles and chunks of other maps

// --- of other maps

/// One of the maps.
struct JoinPart {
  std::string name;  ///< for messages
  std::shared_ptr<const Storage> storage;
};

/// What is taken of the maps, and where it goes.
struct JoinOptions {
  wdt::TileRange tiles;  ///< those that are taken
  int east = 0;          ///< columns by which they move
  int south = 0;         ///< rows
  /// Of the last map only these chunks are taken, into the tiles of the others; a single map gives them to
  /// itself.
  std::optional<wdt::ChunkMove> chunks;
  ReadOptions read;
};

/// A joined map before it is written. Where several maps have a tile in one place, that of the last map
/// counts. Names are joined, and unique ids of different maps kept apart.
class MapJoin {
 public:
  /// Reads the heads of all tiles. Findings: scene.changed, scene.lost, terrain.edge, experiment.unproven.
  /// Errors: those of wdt::open, world.no-tile, write.unsupported for tiles or chunks that would lie outside
  /// the map.
  static Result<MapJoin> open(std::span<const JoinPart> maps, const JoinOptions& options,
                              Diagnostics& diagnostics = Diagnostics::discarded());
  /// Takes what the other has opened.
  MapJoin(MapJoin&&) noexcept;
  /// As the move constructor.
  MapJoin& operator=(MapJoin&&) noexcept;
  MapJoin(const MapJoin&) = delete;
  MapJoin& operator=(const MapJoin&) = delete;
  ~MapJoin();

  /// One tile at a time. Errors: those of reading tiles and of the sink, write.unsupported beyond 4 GiB,
  /// limit.stopped.
  Result<void> write(Sink& out, Diagnostics& diagnostics = Diagnostics::discarded());
  /// The far terrain of the tiles that are taken, from that of each map, in their order; null for maps
  /// without. None if there is none.
  [[nodiscard]] std::optional<wdl::Document> far_terrain(std::span<const wdl::Document* const> far) const;

  [[nodiscard]] std::size_t tiles() const;   ///< of the joined map
  [[nodiscard]] std::size_t chunks() const;  ///< that are put into them

 private:
  class Builder;
  explicit MapJoin(std::unique_ptr<Builder> work);
  std::unique_ptr<Builder> work_;
};

// --- of pictures (docs/user/worlds.md#a-new-map)

/// Yards at the corners and in the middles of all cells of a land, from the north-west.
struct HeightField {
  std::size_t rows = 0;  ///< of cells
  std::size_t columns = 0;
  std::vector<float> corners;
  std::vector<float> middles;

  /// On the lattice of half cells; where that is no corner and no middle, between two corners. Outside the
  /// land, what is on its edge.
  [[nodiscard]] double at(std::ptrdiff_t row, std::ptrdiff_t column) const;
};

/// A texture, and where it is seen; the first of a land is seen everywhere.
struct LandLayer {
  std::string texture;
  GreyImage mask;  ///< over the whole land, of any size; of 8 bits
};

/// A liquid at one height, where the mask is white; without a mask, where the ground lies lower.
struct LandLiquid {
  wdt::LiquidKind kind = wdt::LiquidKind::river;
  float level = 0;
  std::optional<GreyImage> mask;
};

/// A model or a building on the ground.
struct LandObject {
  std::string name;
  bool building = false;
  double north = 0;
  double west = 0;
  std::optional<double> up;  ///< none: on the ground
  Vec3 rotation{};           ///< degrees, as stored
  double scale = 1;          ///< of models
  std::uint16_t set = 0;     ///< doodad set, of buildings
  Vec3 low{-10, -10, 0};     ///< of buildings: the box in its own axes, in yards
  Vec3 high{10, 10, 20};
};

/// Everything that a land is made of. Pictures have north above.
struct LandPlan {
  wdt::TilePosition corner{};  ///< the tile in the north-west
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  GreyImage heights;                  ///< first and last row and column lie on the edges
  float low = 0;                      ///< yards that black stands for
  float high = 0;                     ///< and white
  std::optional<HeightField> ground;  ///< in place of a picture
  std::vector<LandLayer> layers;
  std::optional<GreyImage> shadow;
  std::optional<GreyImage> holes;
  std::optional<GreyImage> areas;
  std::optional<GreyImage> zones;
  std::uint16_t area = 0;
  std::uint16_t zone = 0;
  std::vector<LandLiquid> liquids;
  std::vector<LandObject> objects;
};

/// Makes tiles of a plan, one at a time, each the same whichever were made before.
class Land {
 public:
  /// Errors: write.unsupported for what no map can be (tiles outside of it, more than four layers, heights of
  /// fewer than two rows or columns).
  static Result<Land> of(LandPlan plan);

  /// Names of what stands in the map.
  [[nodiscard]] wdt::Map map() const;
  /// `x` and `y` in the map's grid. What a chunk has no room for is reported (scene.lost).
  [[nodiscard]] wdt::Tile tile(std::size_t x, std::size_t y, Diagnostics& diagnostics) const;
  /// Writes the map one tile at a time. Errors: those of the sink, limit.stopped.
  Result<void> write(Sink& out, const Control* control = nullptr,
                     Diagnostics& diagnostics = Diagnostics::discarded()) const;
  /// The same heights in whole yards.
  [[nodiscard]] wdl::Document far_terrain() const;
  /// What it is made of.
  [[nodiscard]] const LandPlan& plan() const { return plan_; }

 private:
  explicit Land(LandPlan plan) : plan_(std::move(plan)) {}

  [[nodiscard]] wdl::Area far_area(std::size_t x, std::size_t y) const;
  /// Height at a place on the lattice of half cells, counted from the land's corner.
  [[nodiscard]] double height(std::ptrdiff_t row, std::ptrdiff_t column) const;
  [[nodiscard]] double ground_at(double north, double west) const;
  void shape(wdt::Chunk& chunk, std::size_t row, std::size_t column) const;
  void paint(wdt::Chunk& chunk, std::size_t row, std::size_t column) const;
  void flood(wdt::Chunk& chunk, std::size_t row, std::size_t column) const;
  void place(wdt::Tile& tile, Diagnostics& diagnostics) const;

  LandPlan plan_;
  std::map<std::string, std::uint32_t> doodad_numbers_;
  std::map<std::string, std::uint32_t> building_numbers_;
  std::vector<std::string> doodad_names_;
  std::vector<std::string> building_names_;
};

/// Where the files are that a description names.
struct LandFiles {
  /// Pictures and scenes, by the names in the description.
  std::function<Result<Bytes>(const std::string& name)> open;
  /// The files that a glTF scene names in addition to itself.
  std::function<Result<Bytes>(const std::string& scene, std::string_view uri)> open_sidecar;
  /// Buildings, whose boxes are read where the description has none.
  std::function<std::optional<Bytes>(const std::string& name)> open_building;
};

/// What a description (JSON, docs/user/worlds.md#a-new-map) says. Errors begin with the place in it, such as
/// "layers[1].mask: …": write.unsupported for what is missing, unknown or does not fit, limit.stopped.
Result<LandPlan> read_land_plan(const Value& description, const LandFiles& files,
                                const ReadOptions& options = {},
                                Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::world

#pragma GCC visibility pop
