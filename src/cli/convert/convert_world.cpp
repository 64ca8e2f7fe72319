#include "cli/convert/convert_world.hpp"

#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "cli/convert/convert_kinds.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/picture/world_settings.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {

namespace fs = std::filesystem;

namespace {

/// "31_48" where there is one.
std::string place_of(const std::vector<wdt::TilePosition>& tiles) {
  return tiles.size() == 1 ? concat({std::to_string(tiles.front().x), "_", std::to_string(tiles.front().y)})
                           : std::string();
}

ConvertOptions options_for_maps(const Settings& settings, MapOptions map) {
  ConvertOptions options;
  options.scene = map_scene_options(settings);
  options.gltf = written_gltf(settings);
  options.scene.keep_files = options.gltf.texture_format == GltfTextureFormat::keep;
  options.texture.png_level = png_level(settings);
  if (settings.quality) {
    options.texture.encode.quality = static_cast<int>(*settings.quality);
  }
  options.map = std::move(map);
  return options;
}

}  // namespace

bool is_tile_target(const std::string& target) {
  const Format maps = find_format("wdt");
  const auto known = find_target(maps, target.empty() ? "glb" : target);
  return known && target != "adt-lk" && target != "wdt";
}

Job planned_job(const Input& input, const Identity& identity, const std::shared_ptr<const ConvertPlan>& plan,
                std::size_t number) {
  const PlannedOutput& output = plan->outputs()[number];
  Job job{input};
  const std::string place = place_of(output.tiles);
  job.name = place.empty() ? input.name : concat({input.name, " ", place});
  job.identity = identity;
  job.more_sidecars = output.more_sidecars;
  job.last = output.last;
  if (!output.tiles.empty()) {
    Value list = Value::List();
    for (const auto& tile : output.tiles) {
      list.push(Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}});
    }
    job.json = {{"tiles", std::move(list)}};
  }
  job.sidecars = [plan, number](const fs::path& path) {
    std::vector<fs::path> paths;
    for (const std::string& name : plan->sidecars(number, path.filename().string())) {
      paths.push_back(path.parent_path() / name);
    }
    return paths;
  };
  job.make = [plan, number](const Job& task, Diagnostics& findings) {
    return plan->make(number, task.output.filename().string(), current_control(), findings)
        .map([](Outputs&& outputs) {
          Product product;
          static_cast<Outputs&>(product) = std::move(outputs);
          return product;
        });
  };
  return job;
}

WorldPlan::WorldPlan(const Settings& settings, const std::string& target, MapOptions map)
    : settings_(settings),
      target_(target.empty() ? "glb" : target),
      options_(options_for_maps(settings, std::move(map))),
      folders_(settings) {
  options_.map.by_tile = names_folder(settings, is_batch(settings));
}

std::vector<Job> WorldPlan::jobs_of(const Input& input) const {
  auto storage = input_storage(input, settings_);
  if (!storage) {
    return {failed_job(input, storage.error())};
  }
  const std::uint64_t size = (*storage)->size();
  const Identity identity = identify_file(input);
  ConvertInput map;
  map.name = input.relative.filename().string();
  map.storage = std::move(*storage);
  ConvertTarget target{target_, {}};
  target.file_name = options_.map.by_tile ? "" : fs::path(settings_.output).filename().string();
  ConvertOptions options = options_;
  options.scene.read = read_options(settings_);
  Diagnostics opening;
  auto plan = thaw::plan(map, target, options, folders_.for_model(input), opening);
  if (!plan) {
    const bool opened = plan.error().code == codes::kWorldNoTile;
    return {failed_job(input, plan.error(), opened ? std::optional(identity) : std::nullopt)};
  }
  const std::shared_ptr<const ConvertPlan> shared = std::move(*plan);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < shared->outputs().size(); ++i) {
    jobs.push_back(planned_job(input, identity, shared, i));
    Job& job = jobs.back();
    job.size = size;
    job.kind = convert_kind(identity.format, target_);
    job.output = output_of(input, shared->outputs()[i].file_name);
  }
  jobs.front().findings = std::move(opening);
  return jobs;
}

fs::path WorldPlan::output_of(const Input& input, const std::string& name) const {
  if (!options_.map.by_tile) {
    return settings_.output;
  }
  const fs::path folder = settings_.output;
  return (settings_.flat ? folder : folder / input.relative.parent_path()) / name;
}

}  // namespace thaw::cli
