// A map made of pictures and lists: heights, layers, liquids, areas, and what stands on the ground
// (docs/world.md#a-new-map).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/grey.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include "world/height_field.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thaw::world {

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
  /// `x` and `y` in the map's grid. What a chunk has no room for is told as scene.lost.
  [[nodiscard]] wdt::Tile tile(std::size_t x, std::size_t y, Diagnostics& diagnostics) const;
  [[nodiscard]] wdl::Area far_area(std::size_t x, std::size_t y) const;
  [[nodiscard]] const LandPlan& plan() const { return plan_; }

 private:
  explicit Land(LandPlan plan) : plan_(std::move(plan)) {}

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

}  // namespace thaw::world
