#include <thaw/edit.hpp>

#include "bytes/number_text.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/jobs/single_output.hpp"
#include "cli/report/report.hpp"

namespace thaw::cli {
namespace {

constexpr JobKind kMergedFiles{"merged files", {"strict"}};

Result<AnyDocument> opened(const std::string& name, const Settings& settings, Diagnostics& findings) {
  auto file = open_document(name, settings);
  add_not_understood(file.findings, findings);
  if (!file.document) {
    return tl::unexpected<Error>(error_in(name, std::move(*file.failure)));
  }
  return std::move(*file.document);
}

/// What is written; conflicts are findings, and decide the exit code.
Result<Bytes> merged(const Settings& settings, OutputReport& file, bool& conflicts) {
  std::vector<AnyDocument> files;
  for (const auto& name : settings.inputs) {
    auto document = opened(name, settings, file.findings);
    if (!document) {
      return tl::unexpected<Error>(std::move(document.error()));
    }
    files.push_back(std::move(*document));
  }
  return merge_documents(files[0], files[1], files[2]).and_then([&](const Merged& result) -> Result<Bytes> {
    for (const auto& conflict : result.conflicts) {
      file.findings.add(conflict);
    }
    conflicts = !result.conflicts.empty();
    file.facts = conflicts ? counted(result.conflicts.size(), "conflict") : std::string();
    return write_as_named(*result.document, settings);
  });
}

}  // namespace

int run_merge(const Settings& settings) {
  bool conflicts = false;
  const Exit exit = make_file(settings, "merge", "merged", kMergedFiles, settings.inputs, true,
                              [&](OutputReport& file) { return merged(settings, file, conflicts); });
  return exit == kOk && conflicts ? kDifferent : exit;
}

}  // namespace thaw::cli
