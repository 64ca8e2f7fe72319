#include "cli/summary.hpp"

#include "cli/console.hpp"
#include "cli/report.hpp"

namespace thaw::cli {

void tell_summary(const Settings& settings, std::string_view command, const Tally& tally) {
  if (settings.json) {
    Value value = summary_envelope(command, tally.exit == kOk);
    add_tally(value, tally);
    write_stdout(json_line(value));
  } else if (!settings.quiet) {
    write_stderr(tally_text(tally) + '\n');
  }
}

}  // namespace thaw::cli
