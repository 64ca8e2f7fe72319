#include <thaw/edit.hpp>
#include <thaw/mrn.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {

namespace {

/// --decoded; the document has to outlive it.
using Dump = std::function<void(const TextSink& sink)>;
Result<Dump> decoded(const AnyDocument* document, Diagnostics& findings) {
  const auto show = [document](Inspector& inspector, Diagnostics& found) {
    return document != nullptr && mrn::inspect_decoded(*document, inspector, found);
  };
  bool shown = false;
  account_bytes([&](Inspector& inspector) { shown = show(inspector, findings); }, current_control());
  if (!shown) {
    return fail(codes::kFormatUnsupported, "--decoded needs an animation (NSA or MRN)");
  }
  return [show](const TextSink& sink) {
    dump_json([&](Inspector& inspector) { show(inspector, Diagnostics::discarded()); }, sink,
              current_control());
  };
}

/// A line of JSON for each file.
int dump_all(const Settings& settings) {
  const auto inputs = collect_inputs(settings);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  const auto failed = [&](const Input& input, const Identity* identity, const Diagnostics& findings,
                          const Error& error) {
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(input.name, Diagnostics(), error, settings);
    outcome.out =
        json_line(envelope("dump", input.name, identity, findings, &error).set("document", Value()));
    return outcome;
  };
  const auto work = [&](std::size_t index) {
    const Input& input = (*inputs)[index];
    Diagnostics findings;
    const auto content = load(input, settings);
    if (!content) {
      return failed(input, nullptr, findings, content.error());
    }
    Outcome outcome;
    outcome.skipped = content->skipped;
    outcome.format = content->identity.format;
    if (content->skipped) {
      return outcome;
    }
    const auto document = read_content(*content, settings, findings);
    stop_when_requested();
    if (!document) {
      return failed(input, &content->identity, findings, document.error());
    }
    const auto dump =
        settings.decoded
            ? decoded(&*document, findings)
            : Result<Dump>([&](const TextSink& sink) { dump_any(*document, sink, current_control()); });
    if (!dump) {
      return failed(input, &content->identity, findings, dump.error());
    }
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.out = to_json(envelope("dump", input.name, &content->identity, findings, nullptr));
    outcome.out.back() = ',';  // the closing brace: the document comes as it is printed
    outcome.out += "\"document\":";
    (*dump)([&](std::string_view text) {
      outcome.out += text;
      return true;
    });
    stop_when_requested();
    std::erase(outcome.out, '\n');  // which stand between values alone
    outcome.out += "}\n";
    return outcome;
  };
  const BatchJobs batch{work, [&](std::size_t index, const Error& error) {
                          return failed((*inputs)[index], nullptr, Diagnostics(), error);
                        }};
  return run_batch(settings, *inputs, batch).exit;
}

}  // namespace

int run_dump(const Settings& settings) {
  if (is_batch(settings)) {
    return dump_all(settings);
  }
  if (const std::string why = check_tiles(settings, {named_input(settings.inputs.front(), settings)});
      !why.empty()) {
    return usage_error("dump", why);
  }
  Opened opened = open_input(settings.inputs.front(), settings);
  Dump dump = [&](const TextSink& sink) { opened.dump(sink, current_control()); };
  if (settings.decoded && opened.is_read()) {
    auto numbers = decoded(opened.document ? &*opened.document : nullptr, opened.findings);
    if (numbers) {
      dump = std::move(*numbers);
    } else {
      opened.failure = std::move(numbers.error());
    }
  }
  const Exit exit = report_findings(opened, settings);
  if (settings.json) {
    std::string object = to_json(opened_envelope("dump", opened));
    object.pop_back();  // the closing brace: the document comes as it is printed
    write_stdout(object + ",\"document\":");
    if (opened.is_read()) {
      dump(write_stdout);
    }
    stop_when_requested();
    write_stdout(opened.is_read() ? "}\n" : "null}\n");
  } else if (opened.is_read()) {
    dump(write_stdout);
  }
  return failure_since(opened, settings).value_or(exit);
}

}  // namespace thaw::cli
