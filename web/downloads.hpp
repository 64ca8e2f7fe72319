// What can be downloaded of a model: the files that the command would write of it.
#pragma once

#include <thaw/convert.hpp>
#include <thaw/validate.hpp>
#include <thaw/value.hpp>

#include <vector>

namespace thaw::page {

/// What was found on the way.
struct DownloadReport {
  Diagnostics findings;  ///< losses; of what was mended, what is still wrong
  std::vector<AppliedFix> fixed;
};

/// What there is for a document: what it becomes, and what mends it. A list of objects as `make_download`
/// takes them, with the extension and the versions that can be asked for.
Value downloads_of(const AnyDocument& document);

/// Files of a document: {"to": a word of --to, "version": as --format-version has it} or {"fix": "safe" or
/// "all"}.
Result<Outputs> make_download(const ConvertInput& input, const Value& how, const OpenSceneOptions& request,
                              const Sources& sources, DownloadReport& report);

}  // namespace thaw::page
