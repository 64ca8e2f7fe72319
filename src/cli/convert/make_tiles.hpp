// What convert makes of tiles of a map.
#pragma once

#include <thaw/world_scene.hpp>

#include "cli/inputs/world_input.hpp"
#include "cli/jobs/product.hpp"
#include "cli/picture/world_models.hpp"

#include <filesystem>
#include <vector>

namespace thaw::cli {

enum class WorldTarget : std::uint8_t { none, glb, gltf, heightmap, maps, minimap };
WorldTarget world_target(const std::string& target);

/// The options about maps, read once.
struct WorldSettings {
  TileRange tiles;
  world::SceneOptions scene;
  world::GroundLight light;
  std::uint32_t picture_size = 0;  ///< of minimaps, per tile
  std::uint32_t grid = world::kGrids.front();
  std::optional<std::pair<float, float>> height_range;  ///< yards
  double metres = world::kMetresPerYard;                ///< per yard, of heightmaps
};
/// All but `light`, which comes from a file. The error is a usage error in words.
tl::expected<WorldSettings, std::string> world_settings(const Settings& settings);

/// What speaks against --hour where the light comes from --lights alone: empty, or a usage error in words.
std::string objection_to_hour(const MapSettings& settings);
/// Direct and ambient light of the hour, from --lights; the usual light without it.
Result<world::GroundLight> ground_light(const Settings& settings);

/// One output and the tiles that it shows.
struct TileJob {
  const WorldFile& file;
  WorldModels& models;
  const wdl::Document* far;  ///< far terrain of the same map, or null
  WorldTarget target;
  std::vector<wdt::TilePosition> tiles;
  bool map_object = false;  ///< also the building that is the map
  std::string name;         ///< of the map
  std::filesystem::path output;
  const Settings& settings;
  const WorldSettings& world;
};

/// The files beside a heightmap or the pictures of a tile, in the order in which make_tiles has them.
std::vector<std::filesystem::path> files_beside(WorldTarget target, const std::filesystem::path& output);

Result<Product> make_tiles(const TileJob& job, Diagnostics& findings);

/// Lowest and highest ground of these tiles, in yards.
Result<std::pair<float, float>> height_range(const wdt::World& map,
                                             const std::vector<wdt::TilePosition>& tiles, std::uint32_t grid,
                                             Diagnostics& findings);

}  // namespace thaw::cli
