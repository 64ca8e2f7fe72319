#include "cli/convert/convert_adt.hpp"

#include <thaw/adt.hpp>
#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "cli/convert/convert_kinds.hpp"
#include "cli/convert/convert_world.hpp"
#include "cli/convert/join_maps.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

bool has_place(const Input& tile) {
  return adt::tile_position(tile.relative.filename().string()).has_value();
}

/// The name of a tile's map, as far as the tile's own name has it.
std::string map_stem(const Input& tile) {
  std::string stem = tile.relative.stem().string();
  if (has_place(tile)) {
    stem.resize(stem.find_last_of('_', stem.find_last_of('_') - 1));
  }
  return stem;
}

/// A map and its tiles have this in common. Folders are what they are; names of files may differ in case.
std::string map_key(const Input& input, const std::string& stem) {
  const std::size_t name = input.name.find_last_of("/\\");
  const std::string folder = input.name.substr(0, name == std::string::npos ? 0 : name + 1);
  return folder + normalize_game_path(stem);
}

class MapPlan {
 public:
  MapPlan(const Settings& settings, std::string target, wdt::TileRange range)
      : settings_(settings), target_(std::move(target)), range_(range) {}

  /// A map and its tiles have the same name; this distinguishes the names of equal maps.
  std::vector<Job> split_all(std::vector<Input> inputs) const {
    auto jobs = plan_jobs(settings_, std::move(inputs), [this](const Input& input) { return split(input); });
    DistinctNames names;
    for (auto& job : jobs) {
      if (job.last) {
        job.output = names.take(job.output);
      }
    }
    for (std::size_t i = jobs.size(), map = i; i-- > 0;) {
      map = jobs[i].last ? i : map;
      if (i != map && !jobs[i].output.empty()) {
        jobs[i].output = named_like(jobs[map].output, jobs[i].output);
      }
    }
    return jobs;
  }

  std::vector<Job> join_all(const std::vector<Input>& inputs) const {
    std::map<std::string, std::size_t> maps;
    std::vector<Input> tiles;
    std::vector<Job> jobs;
    for (const auto& input : inputs) {
      const Identity identity = identify_file(input);
      const bool map = identity.format == "wdt-lk";
      if (identity.format == "adt") {
        tiles.push_back(input);
      } else if (!map && input.found) {
        jobs.push_back(skipped_job(input, identity));
      } else {
        if (map) {
          maps.emplace(map_key(input, input.relative.stem().string()), jobs.size());
        }
        jobs.push_back(joined(input));
      }
    }
    group(tiles, maps, jobs);
    place_outputs(jobs);
    return jobs;
  }

 private:
  // --- a map into tiles

  std::vector<Job> split(const Input& input) const {
    const Identity identity = identify_file(input);
    if (input.found && identity.format != "wdt") {
      return {skipped_job(input, identity)};
    }
    auto storage = input_storage(input, settings_);
    if (!storage) {
      return {failed_job(input, storage.error())};
    }
    const std::uint64_t size = (*storage)->size();
    ConvertInput map;
    map.name = map_stem(input) + ".wdt";
    map.storage = std::move(*storage);
    ConvertOptions options;
    options.scene.read = read_options(settings_);
    options.map.tiles = range_;
    Diagnostics opening;
    auto planned = thaw::plan(map, {target_, {}}, options, {}, opening);
    if (!planned) {
      return {failed_job(input, planned.error(), identity)};
    }
    return split_jobs(input, identity, size, std::move(*planned), std::move(opening));
  }

  std::vector<Job> split_jobs(const Input& input, const Identity& identity, std::uint64_t size,
                              const std::shared_ptr<const ConvertPlan>& plan, Diagnostics opening) const {
    const fs::path below = settings_.flat ? fs::path() : input.relative.parent_path();
    const auto failed = std::make_shared<std::size_t>(0);
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < plan->outputs().size(); ++i) {
      Job job = planned_job(input, identity, plan, i);
      job.size = size;
      job.kind = convert_kind(identity.format, target_);
      job.output = settings_.output / below / plan->outputs()[i].file_name;
      if (job.last) {
        job.findings = std::exchange(opening, Diagnostics());
        job.make = [failed, make = job.make](const Job& task, Diagnostics& findings) {
          return *failed > 0 ? map_without_tiles(*failed) : make(task, findings);
        };
      } else {
        job.failures = failed;
      }
      jobs.push_back(std::move(job));
    }
    return jobs;
  }

  /// A map that is there has its tiles.
  static Result<Product> map_without_tiles(std::size_t failed) {
    return fail(codes::kWriteFailed,
                concat({"the map was not written: ", counted(failed, "tile"), " failed"}));
  }

  static fs::path tile_path(const fs::path& map, wdt::TilePosition position) {
    return map.parent_path() / adt::tile_file_name(map.stem().string(), position.x, position.y);
  }

  /// The name of a tile of that map.
  static fs::path named_like(const fs::path& map, const fs::path& tile) {
    const auto place = adt::tile_position(tile.filename().string());
    return place ? tile_path(map, *place) : tile;
  }

  static Product one_file(const Job& job, Bytes bytes) {
    Product product;
    product.files.push_back({job.output.filename().string(), std::move(bytes)});
    return product;
  }

  // --- tiles into a map

  Job joined(const Input& input) const {
    Job job{input};
    job.name = input.name;
    job.identity = identify_file(input);
    job.kind = convert_kind(job.identity->format, target_);
    job.make = [this](const Job& task, Diagnostics& findings) { return join(task, findings); };
    return job;
  }

  /// Tiles to their map if that is an input; else those that are named together, and others by map.
  void group(const std::vector<Input>& tiles, const std::map<std::string, std::size_t>& maps,
             std::vector<Job>& jobs) const {
    std::map<std::string, std::size_t> groups;
    const std::size_t first_group = jobs.size();
    for (const auto& tile : tiles) {
      const std::string key = map_key(tile, map_stem(tile));
      if (const auto map = maps.find(key); map != maps.end() && has_place(tile)) {
        jobs[map->second].more.push_back(tile);
        continue;
      }
      const auto [entry, fresh] = groups.emplace(tile.found ? key : "", jobs.size());
      if (fresh) {
        jobs.push_back(joined(tile));
      } else {
        jobs[entry->second].more.push_back(tile);
      }
    }
    for (std::size_t i = first_group; i < jobs.size(); ++i) {
      const std::size_t more = jobs[i].more.size();
      jobs[i].name += more == 0 ? "" : concat({" and ", counted(more, "tile"), " more"});
    }
  }

  void place_outputs(std::vector<Job>& jobs) const {
    // Several tiles that are named become one file, so there may be more inputs than outputs.
    const auto makes = [](const Job& job) { return !job.skipped; };
    const bool several = std::count_if(jobs.begin(), jobs.end(), makes) > 1;
    const bool looks = settings_.recursive || !settings_.files_from.empty();
    const bool named = fs::path(settings_.output).extension() == ".wdt";
    const bool folder = names_folder(settings_, several || (looks && !named));
    for (auto& job : jobs) {
      const fs::path below = settings_.flat ? fs::path() : job.input.relative.parent_path();
      const fs::path name = fs::path(map_stem(job.input)).concat(".wdt");
      const fs::path output = folder ? settings_.output / below / name : fs::path(settings_.output);
      job.output = job.skipped ? fs::path() : output;
    }
  }

  Result<Product> join(const Job& job, Diagnostics& findings) const {
    std::vector<std::pair<wdt::TilePosition, adt::Document>> tiles;
    std::optional<adt::Map> map;
    Result<void> done;
    if (job.identity->format == "wdt-lk") {
      map.emplace();
      done = read_map_tiles(job, *map, tiles, findings);
    } else {
      done = read_named(job.input, tiles, findings);
      for (std::size_t i = 0; i < job.more.size() && done; ++i) {
        done = read_named(job.more[i], tiles, findings);
      }
    }
    if (!done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    std::vector<adt::PlacedTile> placed;
    placed.reserve(tiles.size());
    for (const auto& [position, document] : tiles) {
      placed.push_back({position, &document});
    }
    if (placed.empty() && (!map || map->map_objects.empty())) {
      return fail(codes::kWorldNoTile, "");
    }
    return one_file(job, wdt::write(adt::to_alpha(map ? &*map : nullptr, placed, findings)));
  }

  /// The tiles of a map that are inputs themselves or lie next to it.
  Result<void> read_map_tiles(const Job& job, adt::Map& map,
                              std::vector<std::pair<wdt::TilePosition, adt::Document>>& tiles,
                              Diagnostics& findings) const {
    const Input& input = job.input;
    auto content = load(input, settings_);
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    auto read = adt::read_map(content->bytes, read_options(settings_), findings);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    map = std::move(*read);
    const auto folder = open_folder(input.path.parent_path().empty() ? "." : input.path.parent_path());
    for (std::size_t i = 0; i < wdt::kTiles; ++i) {
      const std::size_t x = i % wdt::kTilesPerSide;
      const std::size_t y = i / wdt::kTilesPerSide;
      if (!range_.holds(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
        continue;
      }
      const std::string name = adt::tile_file_name(input.relative.stem().string(), x, y);
      const Input* listed = tile_input(job, name);
      if (!map.has_tile(x, y)) {
        if (listed == nullptr) {
          continue;
        }
        if (listed->found) {
          findings.add(codes::kTerrainDamaged, concat({name, " left out: the map has no such tile"}));
          continue;
        }
      }
      auto tile = read_tile(listed, name, *folder).and_then([&](const Bytes& bytes) {
        return adt::read(bytes, read_options(settings_), findings);
      });
      if (!tile) {
        findings.add(codes::kTerrainDamaged, concat({name, " left out: ", tile.error().message}));
        continue;
      }
      tiles.emplace_back(wdt::TilePosition{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)},
                         std::move(*tile));
    }
    return {};
  }

  /// The tile of that name among a map's inputs; null if it is none.
  [[nodiscard]] static const Input* tile_input(const Job& job, const std::string& name) {
    const std::string requested = normalize_game_path(name);
    const auto input = std::find_if(job.more.begin(), job.more.end(), [&](const Input& tile) {
      return normalize_game_path(tile.relative.filename().string()) == requested;
    });
    return input == job.more.end() ? nullptr : &*input;
  }

  [[nodiscard]] Result<Bytes> read_tile(const Input* input, const std::string& name,
                                        const Source& folder) const {
    if (input != nullptr) {
      return load(*input, settings_).map([](Content content) { return std::move(content.bytes); });
    }
    auto bytes = folder.read(normalize_game_path(name));
    return bytes ? Result<Bytes>(std::move(*bytes)) : fail(codes::kInputUnreadable, "not found");
  }

  Result<void> read_named(const Input& input, std::vector<std::pair<wdt::TilePosition, adt::Document>>& tiles,
                          Diagnostics& findings) const {
    auto content = load(input, settings_);
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    auto tile = adt::read(content->bytes, read_options(settings_), findings);
    if (!tile) {
      return tl::unexpected<Error>(std::move(tile.error()));
    }
    auto position = adt::tile_position(input.relative.filename().string());
    position = position ? position : adt::tile_position(*tile);
    if (!position) {
      return fail(codes::kFormatUnsupported, concat({to_utf8(input.name),
                                                     ": neither the tile's name nor its content states its "
                                                     "position; name it as in Map_32_48.adt"}));
    }
    if (range_.holds(position->x, position->y)) {
      tiles.emplace_back(*position, std::move(*tile));
    }
    return {};
  }

  const Settings& settings_;
  std::string target_;
  wdt::TileRange range_;
};

}  // namespace

bool is_map_target(const std::string& target) { return target == "adt-lk" || target == "wdt"; }

Exit convert_maps(const Settings& settings, const std::string& target, std::vector<Input> inputs) {
  const auto usage = [](std::string_view message) { return usage_error("convert", message); };
  const auto range = parse_tiles(settings.tiles);
  if (!range) {
    return usage(check_tiles(settings));
  }
  if (settings.output == "-") {
    return usage(concat({"--to ", target, " cannot write to stdout. Name an output with -o."}));
  }
  if (target == "wdt" && !settings.shard.empty()) {
    return usage("--to wdt joins all tiles and cannot be combined with --shard");
  }
  const auto is_alpha = [](const Input& input) { return identify_file(input).format == "wdt"; };
  if (target == "wdt" && std::any_of(inputs.begin(), inputs.end(), is_alpha)) {
    return join_maps(settings, inputs, *range);
  }
  const MapPlan plan(settings, target, *range);
  Run run{"convert", "converted", convert_kinds(),
          target == "wdt" ? plan.join_all(inputs) : plan.split_all(std::move(inputs))};
  return carry_out(settings, std::move(run));
}

}  // namespace thaw::cli
