#include "cli/convert/convert_world.hpp"

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/convert/convert_kinds.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <mutex>

namespace thaw::cli {

namespace fs = std::filesystem;

struct OpenMap {
  Input input;
  Identity identity;
  WorldFile file;
  std::optional<wdl::Document> far;      ///< of the same name beside it
  std::string without_far;               ///< what there is to say if it should be there
  std::vector<wdt::TilePosition> tiles;  ///< those that are asked for
  std::unique_ptr<WorldModels> models;
  WorldSettings world;
  std::mutex mutex;  ///< of the range in `world`

  /// The map is one building instead of tiles, or has one besides them.
  [[nodiscard]] bool is_building() const { return file.map && file.map->map().is_dungeon(); }
  [[nodiscard]] std::string stem() const { return input.relative.stem().string(); }
};

namespace {

std::string_view tile_extension(WorldTarget target) {
  return target == WorldTarget::glb ? ".glb" : target == WorldTarget::gltf ? ".gltf" : ".png";
}

/// What tells the outputs of different targets apart in one folder.
std::string_view tile_suffix(WorldTarget target) {
  switch (target) {
    case WorldTarget::heightmap:
      return "_height";
    case WorldTarget::maps:
      return "_alpha";
    case WorldTarget::minimap:
      return "_map";
    default:
      return "";
  }
}

/// "31_48" where there is one.
std::string place_of(const std::vector<wdt::TilePosition>& tiles) {
  return tiles.size() == 1 ? concat({std::to_string(tiles.front().x), "_", std::to_string(tiles.front().y)})
                           : std::string();
}

/// One scale for all tiles, or neighbours would not meet.
WorldSettings with_range(OpenMap& map, bool tile_by_tile) {
  const std::lock_guard lock(map.mutex);
  if (tile_by_tile && !map.world.height_range && map.tiles.size() > 1) {
    Diagnostics ignored;
    if (const auto range = height_range(*map.file.map, map.tiles, map.world.grid, ignored)) {
      map.world.height_range = *range;
    }
  }
  return map.world;
}

}  // namespace

WorldPlan::WorldPlan(const Settings& settings, const std::string& target, WorldSettings world)
    : settings_(settings),
      target_(world_target(target)),
      word_(target.empty() ? "glb" : target),
      world_(std::move(world)),
      folders_(settings) {}

std::vector<Job> WorldPlan::jobs_of(const Input& input) const {
  auto map = std::make_shared<OpenMap>();
  Diagnostics opening;
  auto file = open_world(input, settings_, opening);
  if (!file) {
    return {failed_job(input, file.error())};
  }
  map->input = input;
  map->identity = identify_file(input);
  map->file = std::move(*file);
  map->world = world_;
  map->models = std::make_unique<WorldModels>(map->input, settings_, folders_);
  if (map->file.map) {
    map->tiles = tiles_of(*map->file.map, world_.tiles);
    open_far(*map);
  }
  const bool building = map->is_building() && makes_scenes();
  if (map->tiles.empty() && !map->file.far && !building) {
    return {failed_job(input, Error{codes::kWorldNoTile, {}, {}, ""}, map->identity)};
  }
  if (makes_one() || map->file.far) {
    std::vector<Job> jobs = {job_of(map, map->tiles, building)};
    jobs.front().findings = std::move(opening);
    return jobs;
  }
  std::vector<Job> jobs;
  if (building) {
    jobs.push_back(job_of(map, {}, true));
  }
  for (const auto& tile : map->tiles) {
    jobs.push_back(job_of(map, {tile}, false));
  }
  jobs.front().findings = std::move(opening);
  return jobs;
}

Job WorldPlan::job_of(const std::shared_ptr<OpenMap>& map, std::vector<wdt::TilePosition> tiles,
                      bool building) const {
  Job job{map->input};
  const std::string place = place_of(tiles);
  job.name = place.empty() ? map->input.name : concat({map->input.name, " ", place});
  job.identity = map->identity;
  job.size = map->file.size;
  job.kind = convert_kind(map->identity.format, word_);
  job.output = output_of(*map, tiles);
  if (target_ == WorldTarget::heightmap || target_ == WorldTarget::maps) {
    job.beside = [target = target_](const fs::path& output) { return files_beside(target, output); };
  }
  job.more_beside = target_ == WorldTarget::gltf ||
                    (makes_scenes() && world_.scene.look == world::GroundLook::splat && map->file.map);
  Value list = Value::List();
  for (const auto& tile : tiles) {
    list.push(Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}});
  }
  job.json = {{"tiles", std::move(list)}};
  job.make = [this, map, building, tiles = std::move(tiles)](const Job& own, Diagnostics& findings) {
    return make(*map, own, tiles, building, findings);
  };
  return job;
}

Result<Product> WorldPlan::make(OpenMap& map, const Job& job, const std::vector<wdt::TilePosition>& tiles,
                                bool building, Diagnostics& findings) const {
  const bool tile_by_tile = target_ == WorldTarget::heightmap && !makes_one() && !map.file.far;
  const WorldSettings world = with_range(map, tile_by_tile);
  const TileJob tile_job{
      map.file,  *map.models, map.far ? &*map.far : nullptr, target_, tiles, building, map.stem(), job.output,
      settings_, world};
  return make_tiles(tile_job, findings).map([&](Product product) {
    product.note += map.without_far.empty() ? "" : concat({" · ", map.without_far});
    return product;
  });
}

/// The far terrain that belongs to a map lies beside it.
void WorldPlan::open_far(OpenMap& map) const {
  if (!world_.scene.layers.far_terrain) {
    return;
  }
  const std::string name = map.stem() + ".wdl";
  if (const auto found = map.models->sources().find(name)) {
    Diagnostics ignored;
    if (auto far = wdl::read(found->bytes, read_options(settings_), ignored)) {
      map.far = std::move(*far);
      return;
    }
  }
  map.without_far = concat({"no source has the far terrain ", name});
}

bool WorldPlan::makes_scenes() const { return target_ == WorldTarget::glb || target_ == WorldTarget::gltf; }

bool WorldPlan::makes_one() const { return !names_folder(settings_, is_batch(settings_)); }

fs::path WorldPlan::output_of(const OpenMap& map, const std::vector<wdt::TilePosition>& tiles) const {
  if (makes_one()) {
    return settings_.output;
  }
  const std::string place = map.file.far ? std::string() : place_of(tiles);
  const fs::path folder = settings_.output;
  return (settings_.flat ? folder : folder / map.input.relative.parent_path()) /
         concat({map.stem(), place.empty() ? "" : "_", place, tile_suffix(target_), tile_extension(target_)});
}

}  // namespace thaw::cli
