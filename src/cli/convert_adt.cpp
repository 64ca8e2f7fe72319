#include "cli/convert_adt.hpp"

#include <thaw/adt_convert.hpp>
#include <thaw/sources.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/batch.hpp"
#include "cli/console.hpp"
#include "cli/distinct.hpp"
#include "cli/report.hpp"
#include "cli/run_files.hpp"
#include "cli/save.hpp"
#include "cli/summary.hpp"
#include "cli/targets.hpp"
#include "cli/text.hpp"
#include "cli/versions.hpp"
#include "cli/world_input.hpp"

#include <algorithm>
#include <map>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// A file that was written, or would be.
struct Made {
  fs::path path;
  std::uint64_t size = 0;
};

/// Several inputs that become one output together, or one that becomes many.
struct Job {
  std::vector<Input> inputs;  ///< the map first, if there is one
  std::string name;           ///< as the user knows it
  fs::path output = {};       ///< the map; its tiles stand beside it
};

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

class MapConverter {
 public:
  MapConverter(const Settings& settings, std::string wish, TileRange range, const std::vector<Input>& inputs)
      : settings_(settings),
        wish_(std::move(wish)),
        range_(range),
        files_(inputs, [this](const Input& input) { return becomes(identify_file(input).format); }) {}

  Exit run(const std::vector<Input>& inputs) {
    plan(inputs);
    std::vector<Input> names;
    for (const auto& job : jobs_) {
      names.push_back(job.inputs.front());
      names.back().name = job.name;
    }
    const Tally tally =
        run_batch(settings_, names,
                  {[this](std::size_t index) { return convert(jobs_[index]); },
                   [this](std::size_t index, const Error& error) { return given_up(jobs_[index], error); }});
    if ((is_batch(settings_) || jobs_.size() > 1) && tally.exit != kInterrupted) {
      tell_summary(settings_, "convert", tally);
    }
    return tally.exit;
  }

 private:
  [[nodiscard]] bool becomes(Format format) const {
    return wish_ == "wdt" ? format == Format::wdt_later || format == Format::adt : format == Format::wdt;
  }

  void plan(const std::vector<Input>& inputs) {
    std::map<std::string, std::size_t> maps;
    std::vector<Input> tiles;
    for (const auto& input : inputs) {
      const Format format = identify_file(input).format;
      if (format == Format::adt && becomes(format)) {
        tiles.push_back(input);
      } else if (becomes(format) || !input.found) {
        if (format == Format::wdt_later) {
          maps.emplace(map_key(input, input.relative.stem().string()), jobs_.size());
        }
        jobs_.push_back({{input}, input.name});
      }
    }
    group(tiles, maps);
    place_outputs();
  }

  /// Tiles to their map if that is an input; else those that are named together, and others by map.
  void group(const std::vector<Input>& tiles, const std::map<std::string, std::size_t>& maps) {
    std::map<std::string, std::size_t> groups;
    const std::size_t first_group = jobs_.size();
    for (const auto& tile : tiles) {
      const std::string key = map_key(tile, map_stem(tile));
      if (const auto map = maps.find(key); map != maps.end() && has_place(tile)) {
        jobs_[map->second].inputs.push_back(tile);
        continue;
      }
      const auto [entry, fresh] = groups.emplace(tile.found ? key : "", jobs_.size());
      if (fresh) {
        jobs_.emplace_back();
      }
      jobs_[entry->second].inputs.push_back(tile);
    }
    for (std::size_t i = first_group; i < jobs_.size(); ++i) {
      const std::string& first = jobs_[i].inputs.front().name;
      const std::size_t more = jobs_[i].inputs.size() - 1;
      jobs_[i].name = more == 0 ? first : concat({first, " and ", counted(more, "tile"), " more"});
    }
  }

  void place_outputs() {
    // Several tiles that are named become one file, so there may be more inputs than outputs.
    const bool looks = settings_.recursive || !settings_.files_from.empty();
    const bool named = fs::path(settings_.output).extension() == ".wdt";
    const bool folder = wish_ == "adt-lk" || names_folder(settings_, jobs_.size() > 1 || (looks && !named));
    DistinctNames names;
    for (auto& job : jobs_) {
      const Input& first = job.inputs.front();
      const fs::path below = settings_.flat ? fs::path() : first.relative.parent_path();
      const fs::path name = fs::path(map_stem(first)).concat(".wdt");
      job.output = folder ? names.take(settings_.output / below / name) : fs::path(settings_.output);
    }
  }

  Outcome convert(const Job& job) {
    Diagnostics findings;
    std::vector<Made> made;
    const Identity identity = identify_file(job.inputs.front());
    auto done = wish_ == "adt-lk" ? split(job, findings, made) : join(job, identity, findings, made);
    return told(job, identity, done, made, findings);
  }

  [[nodiscard]] Outcome given_up(const Job& job, const Error& error) const {
    const Result<void> failure = tl::unexpected<Error>(error);
    return told(job, identify_file(job.inputs.front()), failure, {}, Diagnostics());
  }

  // --- a map into tiles

  Result<void> split(const Job& job, Diagnostics& findings, std::vector<Made>& made) {
    auto storage = input_storage(job.inputs.front(), settings_);
    if (!storage) {
      return tl::unexpected<Error>(std::move(storage.error()));
    }
    auto world = wdt::open(std::move(*storage), read_options(settings_), findings);
    if (!world) {
      return tl::unexpected<Error>(std::move(world.error()));
    }
    std::vector<wdt::TilePosition> tiles;
    for (const auto& tile : world->tiles()) {
      if (range_.holds(tile.x, tile.y)) {
        tiles.push_back(tile);
      }
    }
    if (tiles.empty() && !world->map().is_dungeon()) {
      return fail(codes::kWorldNoTile, "");
    }
    if (auto why = objection(job, tiles)) {
      return tl::unexpected<Error>(std::move(*why));
    }
    for (const auto& position : tiles) {
      if (auto done = split_tile(job, *world, position, findings, made); !done) {
        return done;
      }
    }
    // Last: a map that is there has its tiles.
    const auto wanted = is_wanted(job.output);
    return wanted.and_then([&](bool write) -> Result<void> {
      return write ? save(job.output, adt::write(adt::map_from_alpha(world->map(), tiles, findings)), made)
                   : Result<void>();
    });
  }

  static fs::path tile_path(const Job& job, wdt::TilePosition position) {
    return job.output.parent_path() / adt::tile_file_name(job.output.stem().string(), position.x, position.y);
  }

  /// Why the tiles or their map cannot be written, before any is.
  [[nodiscard]] std::optional<Error> objection(const Job& job,
                                               const std::vector<wdt::TilePosition>& tiles) const {
    auto wanted = is_wanted(job.output);
    for (std::size_t i = 0; i < tiles.size() && wanted; ++i) {
      wanted = is_wanted(tile_path(job, tiles[i]));
    }
    return wanted ? std::nullopt : std::optional(std::move(wanted.error()));
  }

  Result<void> split_tile(const Job& job, const wdt::World& world, wdt::TilePosition position,
                          Diagnostics& findings, std::vector<Made>& made) {
    const fs::path path = tile_path(job, position);
    const auto wanted = is_wanted(path);
    if (!wanted) {
      return tl::unexpected<Error>(wanted.error());
    }
    if (!*wanted) {
      return {};
    }
    auto tile = world.tile(position.x, position.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(std::move(tile.error()));
    }
    const std::string where = concat({"tile ", std::to_string(position.x), "_", std::to_string(position.y)});
    return save(path, adt::write(adt::tile_from_alpha(world.map(), *tile, where, findings)), made);
  }

  // --- tiles into a map

  Result<void> join(const Job& job, const Identity& identity, Diagnostics& findings,
                    std::vector<Made>& made) {
    const auto wanted = is_wanted(job.output);
    if (!wanted || !*wanted) {
      return wanted ? Result<void>() : tl::unexpected<Error>(wanted.error());
    }
    std::vector<std::pair<wdt::TilePosition, adt::Document>> tiles;
    std::optional<adt::Map> map;
    Result<void> done;
    if (identity.format == Format::wdt_later) {
      map.emplace();
      done = read_beside(job, *map, tiles, findings);
    } else {
      for (const auto& input : job.inputs) {
        done = done ? read_named(input, tiles, findings) : std::move(done);
      }
    }
    if (!done) {
      return done;
    }
    std::vector<adt::PlacedTile> placed;
    placed.reserve(tiles.size());
    for (const auto& [position, document] : tiles) {
      placed.push_back({position, &document});
    }
    if (placed.empty() && (!map || map->map_objects.empty())) {
      return fail(codes::kWorldNoTile, "");
    }
    const auto alpha = adt::to_alpha(map ? &*map : nullptr, placed, findings);
    return save(job.output, wdt::write(alpha), made);
  }

  /// The tiles of a map that are inputs themselves or lie beside it.
  Result<void> read_beside(const Job& job, adt::Map& map,
                           std::vector<std::pair<wdt::TilePosition, adt::Document>>& tiles,
                           Diagnostics& findings) {
    const Input& input = job.inputs.front();
    auto content = load(input, settings_);
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    auto read = adt::read_map(content->bytes, read_options(settings_), findings);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    map = std::move(*read);
    const auto beside = open_folder(input.path.parent_path().empty() ? "." : input.path.parent_path());
    for (std::size_t i = 0; i < wdt::kTiles; ++i) {
      const std::size_t x = i % wdt::kTilesPerSide;
      const std::size_t y = i / wdt::kTilesPerSide;
      if (!range_.holds(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
        continue;
      }
      const std::string name = adt::tile_file_name(input.relative.stem().string(), x, y);
      const Input* own = tile_input(job, name);
      if (!map.has_tile(x, y)) {
        if (own == nullptr) {
          continue;
        }
        if (own->found) {
          findings.add(codes::kTerrainDamaged, concat({name, " is left out: the map does not have it"}));
          continue;
        }
      }
      auto tile = read_tile(own, name, *beside).and_then([&](const Bytes& bytes) {
        return adt::read(bytes, read_options(settings_), findings);
      });
      if (!tile) {
        findings.add(codes::kTerrainDamaged, concat({name, " ", tile.error().message}));
        continue;
      }
      tiles.emplace_back(wdt::TilePosition{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)},
                         std::move(*tile));
    }
    return {};
  }

  /// The tile of that name among a map's inputs; null if it is none.
  [[nodiscard]] static const Input* tile_input(const Job& job, const std::string& name) {
    const std::string wanted = normalize_game_path(name);
    const auto input = std::find_if(job.inputs.begin() + 1, job.inputs.end(), [&](const Input& tile) {
      return normalize_game_path(tile.relative.filename().string()) == wanted;
    });
    return input == job.inputs.end() ? nullptr : &*input;
  }

  [[nodiscard]] Result<Bytes> read_tile(const Input* input, const std::string& name,
                                        const Source& beside) const {
    if (input != nullptr) {
      return load(*input, settings_).map([](Content content) { return std::move(content.bytes); });
    }
    auto bytes = beside.read(normalize_game_path(name));
    return bytes ? Result<Bytes>(std::move(*bytes)) : fail(codes::kInputUnreadable, "is not there");
  }

  Result<void> read_named(const Input& input, std::vector<std::pair<wdt::TilePosition, adt::Document>>& tiles,
                          Diagnostics& findings) {
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
      return fail(codes::kFormatUnsupported,
                  concat({to_utf8(input.name),
                          ": neither its name (Map_32_48.adt) nor its content tells its place"}));
    }
    if (range_.holds(position->x, position->y)) {
      tiles.emplace_back(*position, std::move(*tile));
    }
    return {};
  }

  // --- outputs

  /// Shall the file be made? Not if it is there and left alone.
  [[nodiscard]] Result<bool> is_wanted(const fs::path& path) const {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
      return true;
    }
    if (settings_.skip_existing) {
      return false;
    }
    if (auto why = files_.objection(path)) {
      return tl::unexpected<Error>(std::move(*why));
    }
    return settings_.force ? Result<bool>(true)
                           : fail(codes::kWriteExists, concat({to_utf8(path.string()), " exists"}));
  }

  Result<void> save(const fs::path& path, const Bytes& bytes, std::vector<Made>& made) {
    auto done = files_.take({path}).and_then(
        [&] { return settings_.dry_run ? Result<void>() : save_file(path, bytes, settings_.force); });
    if (!done) {
      return done;
    }
    made.push_back({path, bytes.size()});
    return {};
  }

  [[nodiscard]] Outcome told(const Job& job, const Identity& identity, const Result<void>& done,
                             const std::vector<Made>& made, const Diagnostics& findings) const {
    const bool color = use_color(settings_, stderr_is_terminal());
    Outcome outcome;
    outcome.exit = done ? kOk : exit_of(done.error());
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.err = concat({finding_lines(job.name, findings, settings_, color),
                          loss_lines(job.name, findings, settings_, color)});
    if (!done) {
      outcome.err += finding_line(job.name, done.error(), color) + hint_line(done.error());
    }
    if (settings_.json) {
      Value value = envelope("convert", job.name, &identity, findings, done ? nullptr : &done.error());
      value.set("outputs", done && made.empty() ? left_alone(job) : outputs(made));
      value.set("status", !done               ? "failed"
                          : made.empty()      ? "exists"
                          : settings_.dry_run ? "planned"
                                              : "converted");
      outcome.out = json_line(value);
    } else if (done && !settings_.quiet) {
      outcome.err += text_of(job, made, findings);
    }
    return outcome;
  }

  [[nodiscard]] static Value left_alone(const Job& job) {
    return Value::List{Value().set("path", to_utf8(job.output.string())).set("size", Value())};
  }

  [[nodiscard]] static Value outputs(const std::vector<Made>& made) {
    Value list = Value::List();
    for (const auto& file : made) {
      list.push(
          Value().set("path", to_utf8(file.path.string())).set("size", static_cast<std::int64_t>(file.size)));
    }
    return list;
  }

  [[nodiscard]] std::string text_of(const Job& job, const std::vector<Made>& made,
                                    const Diagnostics& findings) const {
    const std::string output = to_utf8(job.output.string());
    if (made.empty()) {
      return concat({to_utf8(job.name), ": ", output, " exists, left as it is\n"});
    }
    std::uint64_t size = 0;
    for (const auto& file : made) {
      size += file.size;
    }
    const auto tiles = static_cast<std::size_t>(
        std::count_if(made.begin(), made.end(), [&](const Made& file) { return file.path != job.output; }));
    const std::size_t warnings = findings.count(Severity::warning);
    return concat({to_utf8(job.name), " → ", output, " (", human_size(size), ")",
                   tiles > 0 ? concat({" and ", counted(tiles, "tile")}) : "",
                   warnings > 0 ? concat({" · ", counted(warnings, "warning")}) : "",
                   settings_.dry_run ? " (not written)\n" : "\n"});
  }

  const Settings& settings_;
  std::string wish_;
  TileRange range_;
  RunFiles files_;
  std::vector<Job> jobs_;
};

}  // namespace

bool is_map_wish(const std::string& wish) { return wish == "adt-lk" || wish == "wdt"; }

Exit convert_maps(const Settings& settings, const std::string& wish, const std::vector<Input>& inputs) {
  const auto usage = [](std::string_view message) { return usage_error("convert", message); };
  const auto range = parse_tiles(settings.tiles);
  if (!range) {
    return usage(objection_to_tiles(settings));
  }
  if (settings.output == "-") {
    return usage(concat({"--to ", wish, " writes files, not stdout"}));
  }
  if (wish == "wdt" && !settings.shard.empty()) {
    return usage("--to wdt puts tiles together, of which a --shard would have some only");
  }
  return MapConverter(settings, wish, *range, inputs).run(inputs);
}

}  // namespace thaw::cli
