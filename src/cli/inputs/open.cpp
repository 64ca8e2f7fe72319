#include "cli/inputs/open.hpp"

#include "cli/inputs/inputs.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {

Opened open_input(const std::string& name, const Settings& settings) {
  Opened opened;
  opened.name = name;
  auto content = load(named_input(name, settings), settings);
  if (!content) {
    opened.document = tl::unexpected<Error>(std::move(content.error()));
    return opened;
  }
  opened.identity = content->identity;
  opened.identified = true;
  opened.size = content->bytes.size();
  opened.document = read_content(*content, settings, opened.findings);
  return opened;
}

Exit report_findings(const Opened& opened, const Settings& settings) {
  if (const Error* error = opened.error()) {
    write_stderr(failure_lines(opened.name, opened.findings, *error, settings));
    return exit_of(*error);
  }
  write_stderr(
      finding_lines(opened.name, opened.findings, settings, use_color(settings, stderr_is_terminal())));
  return kOk;
}

Value opened_envelope(std::string_view command, const Opened& opened) {
  return envelope(command, opened.name, opened.identity_if_known(), opened.findings, opened.error());
}

}  // namespace thaw::cli
