// terrain: a new map of pictures.
#include <thaw/sources.hpp>
#include <thaw/value.hpp>
#include <thaw/world.hpp>

#include "bytes/text.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/open.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/single_output.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// The description, with what it names next to it.
Result<world::LandPlan> read_plan(const Settings& settings, Diagnostics& findings) {
  const std::string& name = settings.inputs.front();
  const auto text = load_text(name, settings);
  const auto json = text ? parse_json(as_bytes(*text)) : tl::unexpected<Error>(text.error());
  if (!json) {
    return tl::unexpected<Error>(json.error());
  }
  const fs::path folder = fs::path(name).parent_path();
  const auto input_in_folder = [&](const std::string& file) {
    return named_input((folder / file).string(), settings);
  };
  Sources buildings;
  buildings.add(open_folder(folder.empty() ? "." : folder));
  for (const auto& source : settings.sources) {
    buildings.add(open_folder(source));
  }
  world::LandFiles files;
  files.open = [&](const std::string& file) {
    return load(input_in_folder(file), settings, [](const Identity& /*identity*/) { return true; })
        .map([](Content&& content) { return std::move(content.bytes); });
  };
  files.open_sidecar = [&](const std::string& scene, std::string_view uri) {
    return gltf_options(input_in_folder(scene), settings).open(uri);
  };
  files.open_building = [&](const std::string& building) {
    auto found = buildings.find(building);
    return found ? std::optional(std::move(found->bytes)) : std::nullopt;
  };
  return world::read_land_plan(*json, files, read_options(settings), findings);
}

}  // namespace

int run_terrain(const Settings& settings) {
  if (extension_of(settings.output) != ".wdt") {
    return usage_error("terrain", "terrain needs -o with a map's name, such as Island.wdt");
  }
  const fs::path far_path = fs::path(settings.output).replace_extension(".wdl");
  ArchiveReport report{"terrain", "made", ""};
  auto land = read_plan(settings, report.findings).and_then([](world::LandPlan&& plan) {
    return world::Land::of(std::move(plan));
  });
  std::error_code error;
  if (land && !settings.force && fs::exists(far_path, error)) {
    land = fail(codes::kWriteExists, concat({to_utf8(far_path.string()), " exists"}));
  }
  if (!land) {
    return fail_with("terrain", settings, land.error());
  }
  report.facts = concat({counted(std::uint64_t{land->plan().columns} * land->plan().rows, "tile"), " · ",
                         counted(land->plan().objects.size(), "object")});
  const Exit exit = save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& archive) {
        return land->write(out, current_control(), archive.findings);
      },
      std::move(report));
  if (exit != kOk || settings.dry_run) {
    return exit;
  }
  const auto saved = save_file(far_path, wdl::write(land->far_terrain()), settings.force);
  return saved ? exit : fail_with("terrain", settings, saved.error());
}

}  // namespace thaw::cli
