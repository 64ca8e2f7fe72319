#include "cli/jobs/summary.hpp"

#include "cli/report/console.hpp"
#include "cli/report/report.hpp"

namespace thaw::cli {

void report_summary(const Settings& settings, std::string_view command, const Tally& tally,
                    const Value::Object& more) {
  if (settings.json) {
    Value value = summary_envelope(command, tally.failed == 0);
    add_tally(value, tally);
    for (const auto& [name, member] : more) {
      value.set(name, member);
    }
    write_stdout(json_line(value));
  } else if (!settings.quiet) {
    write_stderr(tally_text(tally) + '\n');
  }
}

}  // namespace thaw::cli
