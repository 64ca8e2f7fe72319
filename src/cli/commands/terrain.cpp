// terrain: a new map of pictures.
#include <thaw/sources.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/convert/land_plan.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "formats/wow/wdt/map_writer.hpp"

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

Result<void> write_land(const world::Land& land, Sink& out, Diagnostics& findings) {
  const world::LandPlan& plan = land.plan();
  wdt::MapWriter writer(out, land.map());
  auto done = writer.begin();
  for (std::uint32_t i = 0; done && i < plan.columns * plan.rows; ++i) {
    if (!proceed(current_control(), "tiles", i, std::uint64_t{plan.columns} * plan.rows)) {
      stop_when_asked();
    }
    done =
        writer.add(land.tile(plan.corner.x + i % plan.columns, plan.corner.y + i / plan.columns, findings));
  }
  return done ? writer.finish() : done;
}

Bytes far_terrain(const world::Land& land) {
  const world::LandPlan& plan = land.plan();
  wdl::Document far;
  for (std::uint32_t i = 0; i < plan.columns * plan.rows; ++i) {
    far.areas.push_back(land.far_area(plan.corner.x + i % plan.columns, plan.corner.y + i / plan.columns));
  }
  wdl::lay_out(far);
  return wdl::write(far);
}

}  // namespace

int run_terrain(const Settings& settings) {
  if (extension_of(settings.output) != ".wdt") {
    return usage_error("terrain", "terrain needs -o with the name of a map, such as Island.wdt");
  }
  const fs::path far_path = fs::path(settings.output).replace_extension(".wdl");
  ArchiveReport report{"terrain", "made", ""};
  auto plan = read_land_plan(settings.inputs.front(), settings, report.findings);
  auto land =
      std::move(plan).and_then([](world::LandPlan&& read) { return world::Land::of(std::move(read)); });
  std::error_code error;
  if (land && !settings.force && fs::exists(far_path, error)) {
    land = fail(codes::kWriteExists, to_utf8(far_path.string()));
  }
  if (!land) {
    return fail_with("terrain", settings, land.error());
  }
  report.facts = concat({counted(std::uint64_t{land->plan().columns} * land->plan().rows, "tile"), " · ",
                         counted(land->plan().objects.size(), "object")});
  const Exit exit = save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& told) { return write_land(*land, out, told.findings); },
      std::move(report));
  if (exit != kOk || settings.dry_run) {
    return exit;
  }
  const auto saved = save_file(far_path, far_terrain(*land), settings.force);
  return saved ? exit : fail_with("terrain", settings, saved.error());
}

}  // namespace thaw::cli
