#include "cli/jobs/single_output.hpp"

#include "bytes/escape.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {

Result<std::string> load_text(const std::string& name, const Settings& settings) {
  return load(named_input(name, settings), settings, [](const Identity& /*identity*/) { return true; })
      .map([](const Content& content) { return std::string(content.bytes.begin(), content.bytes.end()); });
}

Diagnostic in_what_is_written(const Diagnostic& finding) {
  return {finding.code,
          {},
          finding.path,
          concat({"in the output: ", finding.message.empty() ? finding.code.summary : finding.message})};
}

Result<Bytes> write_as_named(const AnyDocument& document, const Settings& settings) {
  const Format actual = format_of(document);
  // Of several files, which need not be of one format, none says what its extension stands for.
  const std::string input = settings.inputs.size() == 1 ? settings.inputs.front() : std::string();
  const std::optional<Format> format =
      settings.output == "-" ? actual : written_as(document, settings.output, input);
  if (!format) {
    return fail(codes::kWriteUnsupported,
                concat({"the output has the format ", actual.id(), ", but its name is ",
                        shown(std::filesystem::path(settings.output).filename().string())}));
  }
  return write_as(document, *format);
}

Exit make_file(const Settings& settings, std::string_view command, std::string_view done, const JobKind& kind,
               const std::vector<std::string>& inputs, bool in_place, const MakeFile& make) {
  if (settings.output.empty()) {
    return usage_error(command, std::string(command) + " needs -o with a file, or - for stdout");
  }
  Settings single = settings;  // what else is named becomes the same file
  single.inputs = {inputs.front()};
  if (const std::string why = check_outputs(single); !why.empty()) {
    return usage_error(command, why);
  }
  Job job{named_input(inputs.front(), settings)};
  job.name = inputs.front();
  if (in_place && job.name != "-") {
    job.identity = identify_file(job.input);
  }
  for (std::size_t i = 1; i < inputs.size() && !in_place; ++i) {
    job.more.push_back(named_input(inputs[i], settings));
  }
  job.kind = &kind;
  job.output = settings.output;
  job.in_place = in_place;
  job.make = [&](const Job& task, Diagnostics& findings) {
    OutputReport file{findings};
    return make(file).map([&](Bytes&& bytes) {
      for (const Diagnostic& finding : file.result.items()) {
        findings.add(in_what_is_written(finding));
      }
      Product product;
      product.files.push_back({task.output.filename().string(), std::move(bytes)});
      product.note = std::move(file.facts);
      return product;
    });
  };
  Run run{command, done, {&kind}, {}};
  run.jobs.push_back(std::move(job));
  run.to_stdout = goes_to_stdout(single);
  run.works_dry = true;
  return carry_out(single, std::move(run));
}

}  // namespace thaw::cli
