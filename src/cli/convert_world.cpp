#include "cli/convert_world.hpp"

#include <thaw/wow_codes.hpp>

#include "bytes/text.hpp"
#include "cli/console.hpp"
#include "cli/distinct.hpp"
#include "cli/interrupt.hpp"
#include "cli/make_tiles.hpp"
#include "cli/report.hpp"
#include "cli/save.hpp"
#include "cli/summary.hpp"
#include "cli/targets.hpp"
#include "cli/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

std::string_view extension_of(WorldTarget target) {
  return target == WorldTarget::glb ? ".glb" : target == WorldTarget::gltf ? ".gltf" : ".png";
}

/// What tells the outputs of different targets apart in one folder.
std::string_view suffix_of(WorldTarget target) {
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

/// An input, opened, with what it shares between its outputs.
struct OpenMap {
  Input input;
  Identity identity;
  WorldFile file;
  std::optional<wdl::Document> far;  ///< of the same name beside it
  WorldSettings world;
  std::vector<wdt::TilePosition> tiles;  ///< those that are asked for
  std::unique_ptr<WorldModels> models;

  /// The map is one building instead of tiles, or has one besides them.
  [[nodiscard]] bool is_building() const { return file.map && file.map->map().is_dungeon(); }
};

struct Task {
  OpenMap* map = nullptr;
  std::vector<wdt::TilePosition> tiles;
  bool map_object = false;
  fs::path output;
};

class WorldConverter {
 public:
  WorldConverter(const Settings& settings, WorldTarget target, WorldSettings world, RunFiles& files)
      : settings_(settings), target_(target), world_(std::move(world)), files_(files), folders_(settings) {}

  Exit run(const std::vector<Input>& worlds) {
    maps_.resize(worlds.size());
    const Tally opened = run_batch(
        settings_, worlds,
        {[&](std::size_t index) { return open(worlds[index], maps_[index]); },
         [&](std::size_t index, const Error& error) { return not_opened(worlds[index], error, ""); }});
    if (opened.exit == kInterrupted) {
      return opened.exit;
    }
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (worlds[i].elsewhere) {
        plan_elsewhere(worlds[i]);
      } else if (maps_[i] != nullptr) {
        plan(*maps_[i]);
      } else if (settings_.fail_fast) {
        break;
      }
    }
    return convert_all(opened);
  }

 private:
  /// `opened` are the maps that were opened, and those that could not be.
  Exit convert_all(const Tally& opened) {
    std::vector<Input> names;
    for (const auto& task : tasks_) {
      names.push_back(task.map->input);
      names.back().name = name_of(task);
    }
    Tally tally = run_batch(settings_, names,
                            {[this](std::size_t index) { return convert(tasks_[index]); },
                             [this](std::size_t index, const Error& error) {
                               return failed(tasks_[index], name_of(tasks_[index]), Diagnostics(), error);
                             }});
    if (tally.exit == kInterrupted) {
      return tally.exit;
    }
    tally.failed += opened.failed;
    tally.exit = std::max(tally.exit, opened.exit);
    if (tally.failed > 0 && tally.ok > 0) {
      tally.exit = kPartly;
    }
    if (is_batch(settings_) || tasks_.size() + opened.failed > 1) {
      tell_summary(settings_, "convert", tally);
    }
    return tally.exit;
  }

  // --- what there is

  Outcome open(const Input& input, std::unique_ptr<OpenMap>& result) {
    Diagnostics findings;
    auto file = open_world(input, settings_, findings);
    if (!file) {
      return not_opened(input, file.error(), "");
    }
    Outcome outcome;
    outcome.err = finding_lines(input.name, findings, settings_, use_color(settings_, stderr_is_terminal()));
    auto map = std::make_unique<OpenMap>();
    map->input = input;
    map->identity = identify_file(input);
    map->file = std::move(*file);
    map->world = world_;
    map->models = std::make_unique<WorldModels>(map->input, settings_, folders_);
    if (map->file.map && world_.scene.layers.far_terrain) {
      outcome.err += open_far(*map);
    }
    if (map->file.map) {
      map->tiles = tiles_of(*map->file.map, world_.tiles);
    }
    if (map->tiles.empty() && !map->file.far && !(map->is_building() && makes_scenes())) {
      return not_opened(input, Error{codes::kWorldNoTile, {}, {}, ""}, outcome.err);
    }
    find_range(*map);
    result = std::move(map);
    return outcome;
  }

  /// The far terrain that belongs to a map lies beside it. What there is to say if it does not.
  [[nodiscard]] std::string open_far(OpenMap& map) const {
    const std::string name = map.input.relative.stem().string() + ".wdl";
    if (const auto found = map.models->sources().find(name)) {
      Diagnostics ignored;
      if (auto far = wdl::read(found->bytes, read_options(settings_), ignored)) {
        map.far = std::move(*far);
        return "";
      }
    }
    return concat({to_utf8(map.input.name), ": no source has the far terrain ", name, "\n"});
  }

  /// One scale for all tiles, or neighbours would not meet.
  void find_range(OpenMap& map) const {
    const bool tile_by_tile = single_output().empty() && !map.file.far && map.tiles.size() > 1;
    if (target_ != WorldTarget::heightmap || map.world.height_range || !tile_by_tile) {
      return;
    }
    Diagnostics ignored;
    if (const auto range = height_range(*map.file.map, map.tiles, world_.grid, ignored)) {
      map.world.height_range = *range;
    }
  }

  void plan(OpenMap& map) {
    const std::string stem = map.input.relative.stem().string();
    const bool building = map.is_building() && makes_scenes();
    if (const auto file = single_output(); !file.empty() || map.file.far) {
      const std::string name = concat({stem, suffix_of(target_), extension_of(target_)});
      tasks_.push_back({&map, map.tiles, building, file.empty() ? output_of(map, name) : file});
      return;
    }
    if (building) {
      tasks_.push_back({&map, {}, true, output_of(map, concat({stem, extension_of(target_)}))});
    }
    for (const auto& tile : map.tiles) {
      const std::string name = concat({stem, "_", std::to_string(tile.x), "_", std::to_string(tile.y),
                                       suffix_of(target_), extension_of(target_)});
      tasks_.push_back({&map, {tile}, false, output_of(map, name)});
    }
  }

  /// Names are given out as if all parts were made here.
  void plan_elsewhere(const Input& input) {
    Diagnostics ignored;
    auto file = open_world(input, settings_, ignored);
    if (!file) {
      return;
    }
    OpenMap map;
    map.input = input;
    map.file = std::move(*file);
    if (map.file.map) {
      map.tiles = tiles_of(*map.file.map, world_.tiles);
    }
    const std::size_t own = tasks_.size();
    plan(map);
    tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(own), tasks_.end());
  }

  [[nodiscard]] bool makes_scenes() const {
    return target_ == WorldTarget::glb || target_ == WorldTarget::gltf;
  }

  /// The one file that -o names; empty for a folder.
  [[nodiscard]] fs::path single_output() const {
    return names_folder(settings_, is_batch(settings_)) ? fs::path() : fs::path(settings_.output);
  }

  [[nodiscard]] fs::path output_of(const OpenMap& map, const std::string& name) {
    return names_.take(folder_of(map) / name);
  }

  [[nodiscard]] fs::path folder_of(const OpenMap& map) const {
    const fs::path folder = settings_.output;
    return settings_.flat ? folder : folder / map.input.relative.parent_path();
  }

  [[nodiscard]] static std::string name_of(const Task& task) {
    if (task.tiles.size() != 1) {
      return task.map->input.name;
    }
    const auto& tile = task.tiles.front();
    return concat({task.map->input.name, " ", std::to_string(tile.x), "_", std::to_string(tile.y)});
  }

  // --- one output

  Outcome convert(const Task& task) {
    Diagnostics findings;
    const std::string name = name_of(task);
    std::error_code error;
    const bool exists = settings_.output != "-" && fs::is_regular_file(task.output, error);
    if (exists && !settings_.force) {
      if (settings_.skip_existing) {
        return told(task, name, "exists", {}, findings, concat({task.output.string(), " is there already"}));
      }
      return failed(task, name, findings,
                    Error{codes::kWriteExists, {}, {}, task.output.string() + " exists"});
    }
    if (const auto why = exists ? files_.objection(task.output) : std::nullopt) {
      return failed(task, name, findings, *why);
    }
    if (settings_.dry_run) {
      if (const auto taken = settings_.output == "-" ? Result<void>() : files_.take({task.output}); !taken) {
        return failed(task, name, findings, taken.error());
      }
      return told(task, name, "planned", {}, findings, concat({"→ ", task.output.string()}));
    }
    const TileJob job{
        task.map->file, *task.map->models, task.map->far ? &*task.map->far : nullptr, target_,
        task.tiles,     task.map_object,   task.map->input.relative.stem().string(),  task.output,
        settings_,      task.map->world};
    auto product = make_tiles(job, findings);
    if (!product) {
      return failed(task, name, findings, product.error());
    }
    return deliver(task, name, *product, findings);
  }

  Outcome deliver(const Task& task, const std::string& name, const Product& product,
                  const Diagnostics& findings) {
    if (settings_.output == "-" && product.files.size() > 1) {
      return failed(task, name, findings, not_for_stdout(product));
    }
    if (settings_.output == "-") {
      const Bytes& bytes = product.files.front().bytes;
      Outcome outcome = told(task, name, "converted", product, findings, product.facts);
      outcome.out = as_text(bytes);
      return outcome;
    }
    const auto saved = files_.take(paths_of(task.output, product)).and_then([&] {
      return save_product(task.output, product, settings_);
    });
    if (!saved) {
      return failed(task, name, findings, saved.error());
    }
    std::uint64_t size = 0;
    for (const auto& file : product.files) {
      size += file.bytes.size();
    }
    std::string text = concat({"→ ", to_utf8(task.output.string()), " (", human_size(size), ")"});
    text += product.files.size() > 1 ? concat({" and ", counted(product.files.size() - 1, "file")}) : "";
    return told(task, name, "converted", product, findings, concat({text, " · ", product.facts}));
  }

  [[nodiscard]] Outcome told(const Task& task, const std::string& name, std::string_view status,
                             const Product& product, const Diagnostics& findings,
                             const std::string& text) const {
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    const bool color = use_color(settings_, stderr_is_terminal());
    outcome.err = finding_lines(name, findings, settings_, color);
    if (settings_.json && settings_.output != "-") {
      Value value = envelope("convert", name, &task.map->identity, findings, nullptr);
      value.set("size", static_cast<std::int64_t>(task.map->file.size));
      value.set("outputs", outputs(task, product));
      value.set("status", status);
      Value tiles = Value::List();
      for (const auto& tile : task.tiles) {
        tiles.push(Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}});
      }
      value.set("tiles", std::move(tiles));
      for (const auto& [key, member] : product.json) {
        value.set(key, member);
      }
      outcome.out = json_line(value);
    } else if (!settings_.quiet) {
      const std::size_t warnings = findings.count(Severity::warning);
      outcome.err += concat({to_utf8(name), " ", text,
                             warnings > 0 ? concat({" · ", counted(warnings, "warning")}) : "", "\n"});
    }
    return outcome;
  }

  [[nodiscard]] static Value outputs(const Task& task, const Product& product) {
    Value list = Value::List();
    const fs::path folder = task.output.parent_path();
    for (std::size_t i = 0; i < product.files.size(); ++i) {
      const fs::path path = i == 0 ? task.output : folder / product.files[i].name;
      list.push(Value()
                    .set("path", to_utf8(path.string()))
                    .set("size", static_cast<std::int64_t>(product.files[i].bytes.size())));
    }
    return list;
  }

  [[nodiscard]] Outcome failed(const Task& task, const std::string& name, const Diagnostics& findings,
                               const Error& error) const {
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(name, findings, error, settings_);
    if (settings_.json && settings_.output != "-") {
      Value value = envelope("convert", name, &task.map->identity, findings, &error);
      value.set("outputs", Value::List());
      value.set("status", "failed");
      outcome.out = json_line(value);
    }
    return outcome;
  }

  /// `told` is what was found out before.
  [[nodiscard]] Outcome not_opened(const Input& input, const Error& error, const std::string& told) const {
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = told + failure_lines(input.name, Diagnostics(), error, settings_);
    if (settings_.json && settings_.output != "-") {
      Value value = envelope("convert", input.name, nullptr, Diagnostics(), &error);
      value.set("outputs", Value::List()).set("status", "failed");
      outcome.out = json_line(value);
    }
    return outcome;
  }

  const Settings& settings_;
  WorldTarget target_;
  WorldSettings world_;
  RunFiles& files_;
  TextureFolders folders_;
  std::vector<std::unique_ptr<OpenMap>> maps_;  ///< null where there is nothing to convert
  std::vector<Task> tasks_;
  DistinctNames names_{output_key};
};

}  // namespace

std::vector<Input> take_worlds(std::vector<Input>& inputs, const std::string& wish) {
  std::vector<Input> worlds;
  if (world_target(wish) == WorldTarget::none) {
    return worlds;
  }
  std::vector<Input> rest;
  for (auto& input : inputs) {
    if (interrupted() || !is_world_input(input)) {
      rest.push_back(std::move(input));
    } else {
      worlds.push_back(std::move(input));
    }
  }
  inputs = std::move(rest);
  return worlds;
}

Exit convert_worlds(const Settings& settings, const std::string& wish, const std::vector<Input>& worlds,
                    RunFiles& files) {
  auto world = world_settings(settings);
  if (!world) {
    return usage_error("convert", world.error());
  }
  if (const std::string why = objection_to_hour(settings); !why.empty()) {
    return usage_error("convert", why);
  }
  auto light = ground_light(settings);
  if (!light) {
    write_stderr(failure_lines(settings.lights, Diagnostics(), light.error(), settings));
    return exit_of(light.error());
  }
  world->light = *light;
  return WorldConverter(settings, world_target(wish), std::move(*world), files).run(worlds);
}

}  // namespace thaw::cli
