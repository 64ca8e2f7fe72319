#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {

int run_dump(const Settings& settings) {
  if (const std::string why = objection_to_tiles(settings, {named_input(settings.inputs.front(), settings)});
      !why.empty()) {
    return usage_error("dump", why);
  }
  const Opened opened = open_input(settings.inputs.front(), settings);
  const Exit exit = report_findings(opened, settings);
  if (settings.json) {
    std::string object = to_json(opened_envelope("dump", opened));
    object.pop_back();  // the closing brace: the document comes as it is printed
    write_stdout(object + ",\"document\":");
    if (opened.is_read()) {
      opened.dump(write_stdout, current_control());
    }
    stop_when_asked();
    write_stdout(opened.is_read() ? "}\n" : "null}\n");
  } else if (opened.is_read()) {
    opened.dump(write_stdout, current_control());
  }
  return failure_since(opened, settings).value_or(exit);
}

}  // namespace thaw::cli
