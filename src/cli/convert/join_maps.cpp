#include "cli/convert/join_maps.hpp"

#include <thaw/sources.hpp>
#include <thaw/wdl.hpp>
#include <thaw/world.hpp>

#include "cli/convert/convert_kinds.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/unused_options.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

Result<world::MapJoin> open_join(const std::vector<Input>& inputs, const world::JoinOptions& options,
                                 const Settings& settings, Diagnostics& findings) {
  std::vector<world::JoinPart> parts;
  for (const Input& input : inputs) {
    auto storage = input_storage(input, settings);
    if (!storage) {
      return tl::unexpected<Error>(std::move(storage.error()));
    }
    parts.push_back({input.name, std::move(*storage)});
  }
  return world::MapJoin::open(parts, options, findings);
}

/// Of the far terrain that lies next to the maps.
std::optional<Bytes> joined_far_terrain(const world::MapJoin& join, const std::vector<Input>& inputs,
                                        const ReadOptions& options, Diagnostics& findings) {
  std::vector<std::optional<wdl::Document>> documents;
  for (const Input& input : inputs) {
    const auto bytes = read_file(fs::path(input.path).replace_extension(".wdl"), options.limits);
    auto far = bytes ? wdl::read(*bytes, options, findings)
                     : Result<wdl::Document>(tl::unexpected<Error>(bytes.error()));
    documents.push_back(far ? std::optional(std::move(*far)) : std::nullopt);
  }
  std::vector<const wdl::Document*> far;
  for (const auto& document : documents) {
    far.push_back(document ? &*document : nullptr);
  }
  const auto joined = join.far_terrain(far);
  return joined ? std::optional(wdl::write(*joined)) : std::nullopt;
}

/// "16 tiles of 2 maps", "4 chunks into 16 tiles".
std::string facts_of(const world::MapJoin& join, std::size_t maps) {
  const std::string tiles = counted(join.tiles(), "tile");
  return join.chunks() > 0 ? concat({counted(join.chunks(), "chunk"), " into ", tiles})
                           : concat({tiles, " of ", counted(maps, "map")});
}

/// Why the command line cannot be carried out; empty if it can.
std::string problem(const Settings& settings, const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (identify_file(input).format != "wdt") {
      return concat({input.name, " is not a WoW Alpha map, unlike the other inputs. Convert it first."});
    }
    std::error_code error;
    if (fs::equivalent(input.path, settings.output, error)) {
      return concat({"-o ", settings.output, " is one of the inputs"});
    }
  }
  if (settings.output.empty() || extension_of(settings.output) != ".wdt") {
    return "joining maps needs -o with the new map's name, such as Joined.wdt";
  }
  if (settings.chunks.empty() && !settings.move_chunks.empty()) {
    return "--move-chunks needs --chunks";
  }
  if (!settings.chunks.empty() && !settings.move_tiles.empty()) {
    return "--move-tiles and --chunks cannot be combined";
  }
  if (!settings.chunks.empty() && inputs.size() == 1 && settings.move_chunks.empty()) {
    return "--chunks with a single map needs --move-chunks";
  }
  Run run{"convert", "converted", convert_kinds(), {}};
  Job job{inputs.front()};
  job.kind = convert_kind(find_format("wdt"), "wdt");
  run.jobs.push_back(std::move(job));
  return unused_option(settings, run);
}

}  // namespace

Exit join_maps(const Settings& settings, const std::vector<Input>& inputs, const wdt::TileRange& range) {
  const auto shift = parse_shift(settings.move_tiles);
  if (!shift) {
    return usage_error("convert", concat({"--move-tiles ", settings.move_tiles,
                                          ": expected a distance in tiles such as 2,-1"}));
  }
  const auto move = parse_chunks(settings.chunks, settings.move_chunks);
  if (!settings.chunks.empty() && !move) {
    return usage_error(
        "convert",
        concat({"--chunks ", settings.chunks, " --move-chunks ", settings.move_chunks,
                ": expected a tile and its chunks such as 31,48:4-7,0-3, and a distance such as 3,-16"}));
  }
  if (const std::string why = problem(settings, inputs); !why.empty()) {
    return usage_error("convert", why);
  }
  ArchiveReport report{"convert", "converted", ""};
  const ReadOptions read = read_options(settings);
  auto join = open_join(inputs, {range, shift->x, shift->y, move, read}, settings, report.findings);
  if (!join) {
    return fail_with("convert", settings, join.error());
  }
  const fs::path far_path = fs::path(settings.output).replace_extension(".wdl");
  const auto far = joined_far_terrain(*join, inputs, read, report.findings);
  std::error_code error;
  if (far && !settings.force && fs::exists(far_path, error)) {
    return fail_with(
        "convert", settings,
        Error{codes::kWriteExists, {}, {}, concat({to_utf8(far_path.string()), ": already exists"})});
  }
  report.facts = facts_of(*join, inputs.size());
  const Exit exit = save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& archive) { return join->write(out, archive.findings); },
      std::move(report));
  if (exit != kOk || settings.dry_run || !far) {
    return exit;
  }
  const auto saved = save_file(far_path, *far, settings.force);
  return saved ? exit : fail_with("convert", settings, saved.error());
}

}  // namespace thaw::cli
