// Report of `thaw validate` on one file, in each of its forms.
#pragma once

#include <thaw/validate.hpp>

#include "cli/jobs/save.hpp"
#include "cli/report/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// What was found in one file.
struct Examined {
  std::string name;
  std::string subject = {};  ///< what the findings are of, if it is not the input but what became of it
  Identity identity;
  bool identified = false;
  bool skipped = false;
  Diagnostics findings;  ///< of the reader and of the rules, those that are reported
  std::vector<AppliedFix> fixed;
  std::string written;          ///< where the fixed file is
  std::optional<Saved> output;  ///< the same, or in a dry run where it would be
  std::optional<Error> error;   ///< why the file could not be read, or not be written
  /// Paths in --manifest of the files with the same content; none without one.
  std::optional<std::vector<std::string>> originals;
  bool unfixed = false;                  ///< --fix was requested, and is not for this format
  bool read = false;                     ///< as a whole: no reported finding says that the file is broken
  bool passed = false;                   ///< it was read, and there is no finding from --fail-on on
  std::optional<FileStamp> before = {};  ///< of the input, before it was read
};

std::string validate_text(const Examined& file, const Settings& settings, bool color);
Value validate_json(const Examined& file);
/// One document for all files, SARIF 2.1.0, that can be written as files are examined: the beginning, which
/// describes all rules, the results of files with kSarifBetween between those that have any, and the end,
/// which states whether it covers all files.
std::string sarif_begin();
std::string sarif_results(const Examined& file);
inline constexpr std::string_view kSarifBetween = ",\n";
std::string sarif_end(bool complete);

/// Of a document in the dialect that build servers read, between kJunitBegin and kJunitEnd: each file is a
/// suite of one case, so that the document can be written as files are examined.
std::string junit_suite(const Examined& file);
inline constexpr std::string_view kJunitBegin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
inline constexpr std::string_view kJunitEnd = "</testsuites>\n";

/// The rules for people, one line each; as JSON, all or one code alone, also one that a reader reports; and
/// as a page (rules.md of scripts/generate).
std::string rules_text();
Value rules_json(std::string_view code = {});
std::string rules_page();
/// All that is known of a code of a rule or of the reader; empty if there is none.
std::string explain_code(std::string_view code);

}  // namespace thaw::cli
