// Commands that report on files and write none: what is alike for each file, and the end of a batch.
#pragma once

#include "cli/jobs/batch.hpp"

#include <string_view>

namespace thaw::cli {

/// A file that was read.
struct ExaminedFile {
  Content content;
  AnyDocument document;
  Diagnostics findings;
};
/// Reads a file. The error is the outcome to report: it failed, or the command has no use for its format.
tl::expected<ExaminedFile, Outcome> examined(const Settings& settings, const Input& input);

/// A file that failed, or that was found and is skipped, as the command reports it.
Outcome failed_outcome(const Settings& settings, const Input& input, const Identity* identity,
                       const Diagnostics& findings, const Error& error);
Outcome skipped_outcome(Format format);

/// `examine` for all inputs; those that are given up have failed.
Tally examine_all(const Settings& settings, std::span<const Input> inputs,
                  const std::function<Outcome(const Input& input)>& examine);

/// A summary object on stdout with --json, with `more` members, else a line on stderr unless it shall be
/// quiet.
void report_summary(const Settings& settings, std::string_view command, const Tally& tally,
                    const Value::Object& more = {});

}  // namespace thaw::cli
