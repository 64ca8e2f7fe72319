// New maps of World of Warcraft's alpha: of pictures and lists, and of the tiles and chunks of other maps.
#pragma once

#include <thaw/control.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/grey.hpp>
#include <thaw/sink.hpp>
#include <thaw/storage.hpp>
#include <thaw/value.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::world {

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
                              Diagnostics& diagnostics = Diagnostics::unwanted());
  /// Takes what the other has opened.
  MapJoin(MapJoin&&) noexcept;
  /// As the move constructor.
  MapJoin& operator=(MapJoin&&) noexcept;
  MapJoin(const MapJoin&) = delete;
  MapJoin& operator=(const MapJoin&) = delete;
  ~MapJoin();

  /// One tile at a time. Errors: those of reading tiles and of the sink, write.unsupported beyond 4 GiB,
  /// limit.stopped.
  Result<void> write(Sink& out, Diagnostics& diagnostics = Diagnostics::unwanted());
  /// The far terrain of the tiles that are taken, from that of each map, in their order; null for maps
  /// without. None if there is none.
  [[nodiscard]] std::optional<wdl::Document> far_terrain(std::span<const wdl::Document* const> far) const;

  [[nodiscard]] std::size_t tiles() const;   ///< of the joined map
  [[nodiscard]] std::size_t chunks() const;  ///< that are put into them

 private:
  class Work;
  explicit MapJoin(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

// --- of pictures (docs/user/worlds.md#a-new-map)

/// Yards at the corners and in the middles of all cells of a land, from the north-west.
struct HeightField {
  std::size_t rows = 0;  ///< of cells
  std::size_t columns = 0;
  std::vector<float> corners;
  std::vector<float> middles;

  /// On the lattice of half cells; where that is no corner and no middle, between two corners. Beside the
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
                     Diagnostics& diagnostics = Diagnostics::unwanted()) const;
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
  /// What a glTF scene names beside itself.
  std::function<Result<Bytes>(const std::string& scene, std::string_view uri)> open_beside;
  /// Buildings, whose boxes are read where the description has none.
  std::function<std::optional<Bytes>(const std::string& name)> open_building;
};

/// What a description (JSON, docs/user/worlds.md#a-new-map) says. Errors begin with the place in it, such as
/// "layers[1].mask: …": write.unsupported for what is missing, unknown or does not fit, limit.stopped.
Result<LandPlan> read_land_plan(const Value& description, const LandFiles& files,
                                const ReadOptions& options = {},
                                Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::world

#pragma GCC visibility pop
