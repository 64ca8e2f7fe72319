// What `thaw validate` tells of one file, in each of its forms.
#pragma once

#include <thaw/validate.hpp>

#include "cli/report.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// What was found in one file.
struct Examined {
  std::string name;
  Identity identity;
  bool identified = false;
  bool skipped = false;
  Diagnostics findings;  ///< of the reader and of the rules, those that are told
  std::vector<Mended> mended;
  std::string written;         ///< where the mended file is
  std::optional<Error> error;  ///< why the file could not be read, or not be written
  /// Paths in --manifest of the files with the same content; none without one.
  std::optional<std::vector<std::string>> originals;
  bool unmended = false;  ///< --fix was asked for, and is not for this format
  bool passed = true;     ///< no finding from --fail-on on
};

std::string validate_text(const Examined& file, const Settings& settings, bool color);
Value validate_json(const Examined& file);
/// One document for all files: SARIF 2.1.0.
std::string validate_sarif(const std::vector<Examined>& files);
/// One document for all files, in the dialect that build servers read: a case for each file.
std::string validate_junit(const std::vector<Examined>& files);

/// The rules for people, one line each; as JSON, all or one code alone, also one that a reader reports; and
/// as the page docs/rules.md.
std::string rules_text();
Value rules_json(std::string_view code = {});
std::string rules_page();
/// All that is known of a code of a rule or of the reader; empty if there is none.
std::string explain_code(std::string_view code);

}  // namespace thaw::cli
