#include "cli/convert_adt.hpp"

#include <thaw/adt_convert.hpp>
#include <thaw/sources.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/batch.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"
#include "cli/save.hpp"
#include "cli/text.hpp"
#include "cli/versions.hpp"
#include "cli/world_input.hpp"

#include <algorithm>

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
  std::vector<Input> inputs;
  std::string name;  ///< as the user knows it
};

class MapConverter {
 public:
  MapConverter(const Settings& settings, std::string wish, TileRange range)
      : settings_(settings), wish_(std::move(wish)), range_(range) {}

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
    if (jobs_.size() > 1 && tally.exit != kInterrupted) {
      tell(tally);
    }
    return tally.exit;
  }

 private:
  /// Tiles that are named go together, everything else alone.
  void plan(const std::vector<Input>& inputs) {
    Job tiles;
    for (const auto& input : inputs) {
      if (input.elsewhere) {
        continue;
      }
      const Format format = identify_file(input).format;
      if (wish_ == "wdt" && format == Format::adt) {
        tiles.inputs.push_back(input);
        continue;
      }
      const bool wanted = format == (wish_ == "wdt" ? Format::wdt_later : Format::wdt);
      if (wanted || !input.found) {
        jobs_.push_back({{input}, input.name});
      }
    }
    if (!tiles.inputs.empty()) {
      const std::size_t count = tiles.inputs.size();
      tiles.name = count == 1
                       ? tiles.inputs.front().name
                       : concat({tiles.inputs.front().name, " and ", counted(count - 1, "tile"), " more"});
      jobs_.push_back(std::move(tiles));
    }
  }

  Outcome convert(const Job& job) {
    Diagnostics findings;
    std::vector<Made> made;
    const Identity identity = identify_file(job.inputs.front());
    auto done = wish_ == "adt-lk" ? split(job.inputs.front(), findings, made)
                                  : join(job.inputs, identity, findings, made);
    return told(job, identity, done, made, findings);
  }

  [[nodiscard]] Outcome given_up(const Job& job, const Error& error) const {
    const Result<void> failure = tl::unexpected<Error>(error);
    return told(job, identify_file(job.inputs.front()), failure, {}, Diagnostics());
  }

  // --- a map into tiles

  Result<void> split(const Input& input, Diagnostics& findings, std::vector<Made>& made) {
    auto storage = input_storage(input, settings_);
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
    const fs::path folder = settings_.output;
    const std::string stem = input.relative.stem().string();
    for (const auto& position : tiles) {
      auto tile = world->tile(position.x, position.y, findings);
      if (!tile) {
        return tl::unexpected<Error>(std::move(tile.error()));
      }
      const std::string where =
          concat({"tile ", std::to_string(position.x), "_", std::to_string(position.y)});
      const auto later = adt::tile_from_alpha(world->map(), *tile, where, findings);
      if (auto saved =
              save(folder / adt::tile_file_name(stem, position.x, position.y), adt::write(later), made);
          !saved) {
        return saved;
      }
    }
    // Last: a map that is there has its tiles.
    return save(folder / (stem + ".wdt"), adt::write(adt::map_from_alpha(world->map(), tiles, findings)),
                made);
  }

  // --- tiles into a map

  Result<void> join(const std::vector<Input>& inputs, const Identity& identity, Diagnostics& findings,
                    std::vector<Made>& made) {
    std::vector<std::pair<wdt::TilePosition, adt::Document>> tiles;
    std::optional<adt::Map> map;
    Result<void> done;
    if (identity.format == Format::wdt_later) {
      map.emplace();
      done = read_beside(inputs.front(), *map, tiles, findings);
    } else {
      for (const auto& input : inputs) {
        done = done ? read_named(input, tiles, findings) : std::move(done);
      }
    }
    if (!done) {
      return done;
    }
    std::vector<adt::PlacedTile> placed;
    for (const auto& [position, document] : tiles) {
      placed.push_back({position, &document});
    }
    if (placed.empty() && (!map || map->map_objects.empty())) {
      return fail(codes::kWorldNoTile, "");
    }
    const auto alpha = adt::to_alpha(map ? &*map : nullptr, placed, findings);
    return save(map_path(inputs.front(), map.has_value()), wdt::write(alpha), made);
  }

  /// The tiles of a map that lie beside it.
  Result<void> read_beside(const Input& input, adt::Map& map,
                           std::vector<std::pair<wdt::TilePosition, adt::Document>>& tiles,
                           Diagnostics& findings) {
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
      if (!map.has_tile(x, y) ||
          !range_.holds(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
        continue;
      }
      const std::string name = adt::tile_file_name(input.relative.stem().string(), x, y);
      const auto bytes = beside->read(normalize_game_path(name));
      auto tile = bytes ? adt::read(*bytes, read_options(settings_), findings)
                        : Result<adt::Document>(fail(codes::kInputUnreadable, "is not there"));
      if (!tile) {
        findings.add(codes::kTerrainDamaged, concat({name, " ", tile.error().message}));
        continue;
      }
      tiles.emplace_back(wdt::TilePosition{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)},
                         std::move(*tile));
    }
    return {};
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

  [[nodiscard]] fs::path map_path(const Input& first, bool has_map) const {
    std::error_code error;
    const std::string& output = settings_.output;
    const bool folder =
        output.empty() || output.back() == '/' || fs::is_directory(output, error) || jobs_.size() > 1;
    if (!folder) {
      return output;
    }
    std::string stem = first.relative.stem().string();
    if (!has_map && adt::tile_position(first.relative.filename().string())) {
      stem = stem.substr(0, stem.find_last_of('_', stem.find_last_of('_') - 1));
    }
    return fs::path(output) / (stem + ".wdt");
  }

  // --- outputs

  Result<void> save(const fs::path& path, const Bytes& bytes, std::vector<Made>& made) const {
    std::error_code error;
    if (settings_.dry_run || (settings_.skip_existing && fs::is_regular_file(path, error))) {
      made.push_back({path, bytes.size()});
      return {};
    }
    for (const auto& input : jobs_) {
      if (fs::equivalent(input.inputs.front().path, path, error)) {
        return fail(codes::kWriteFailed, path.string() + " is the input itself");
      }
    }
    if (auto done = save_file(path, bytes, settings_.force); !done) {
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
      Value outputs = Value::List();
      for (const auto& file : made) {
        outputs.push(Value()
                         .set("path", to_utf8(file.path.string()))
                         .set("size", static_cast<std::int64_t>(file.size)));
      }
      value.set("outputs", std::move(outputs));
      value.set("status", !done ? "failed" : settings_.dry_run ? "planned" : "converted");
      outcome.out = json_line(value);
    } else if (done && !settings_.quiet) {
      std::uint64_t size = 0;
      for (const auto& file : made) {
        size += file.size;
      }
      outcome.err += concat(
          {to_utf8(job.name), " → ", to_utf8(made.back().path.string()), " (", human_size(size), ")",
           made.size() > 1 ? concat({" and ", counted(made.size() - 1, "tile")}) : "",
           outcome.warned ? concat({" · ", counted(findings.count(Severity::warning), "warning")}) : "",
           settings_.dry_run ? " (not written)\n" : "\n"});
    }
    return outcome;
  }

  void tell(const Tally& tally) const {
    if (settings_.json) {
      Value value = summary_envelope("convert", tally.exit == kOk);
      add_tally(value, tally);
      write_stdout(json_line(value));
    } else if (!settings_.quiet) {
      write_stderr(tally_text(tally) + '\n');
    }
  }

  const Settings& settings_;
  std::string wish_;
  TileRange range_;
  std::vector<Job> jobs_;
};

}  // namespace

bool is_map_wish(const std::string& wish) { return wish == "adt-lk" || wish == "wdt"; }

Exit convert_maps(const Settings& settings, const std::string& wish, const std::vector<Input>& inputs) {
  const auto usage = [](std::string_view message) { return usage_error("convert", message); };
  const auto range = parse_tiles(settings.tiles);
  if (!range) {
    return usage(concat({"--tiles ", settings.tiles, " is no range such as 30-34,41-44 within 0 to 63"}));
  }
  if (settings.output == "-") {
    return usage(concat({"--to ", wish, " writes files, not stdout"}));
  }
  return MapConverter(settings, wish, *range).run(inputs);
}

}  // namespace thaw::cli
