#include "cli/jobs/summary.hpp"

#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"

namespace thaw::cli {

tl::expected<ExaminedFile, Outcome> examined(const Settings& settings, const Input& input) {
  Diagnostics findings;
  auto content = load(input, settings);
  if (!content) {
    return tl::unexpected(failed_outcome(settings, input, nullptr, findings, content.error()));
  }
  if (content->skipped) {
    return tl::unexpected(skipped_outcome(content->identity.format));
  }
  auto document = read_content(*content, settings, findings);
  stop_when_requested();
  if (!document) {
    return tl::unexpected(failed_outcome(settings, input, &content->identity, findings, document.error()));
  }
  return ExaminedFile{std::move(*content), std::move(*document), std::move(findings)};
}

Outcome failed_outcome(const Settings& settings, const Input& input, const Identity* identity,
                       const Diagnostics& findings, const Error& error) {
  Outcome outcome;
  outcome.exit = exit_of(error);
  outcome.err = failure_lines(input.name, findings, error, settings);
  outcome.out =
      settings.json ? json_line(envelope(settings.command, input.name, identity, findings, &error)) : "";
  return outcome;
}

Outcome skipped_outcome(Format format) {
  Outcome outcome;
  outcome.skipped = true;
  outcome.format = format;
  return outcome;
}

Tally examine_all(const Settings& settings, std::span<const Input> inputs,
                  const std::function<Outcome(const Input& input)>& examine) {
  return run_batch(settings, inputs,
                   {[&](std::size_t index) { return examine(inputs[index]); },
                    [&](std::size_t index, const Error& error) {
                      return failed_outcome(settings, inputs[index], nullptr, Diagnostics(), error);
                    }});
}

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
