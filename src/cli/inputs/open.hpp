// The commands that work on one file: read it or say why not.
#pragma once

#include "cli/report/report.hpp"

#include <string>
#include <string_view>

namespace thaw::cli {

/// A file that was read, or why it was not.
struct Opened {
  std::string name;
  Identity identity;
  bool identified = false;
  Diagnostics findings;
  std::uint64_t size = 0;
  Result<AnyDocument> document = fail(codes::kInputUnreadable, "");

  [[nodiscard]] const Error* error() const { return document ? nullptr : &document.error(); }
  [[nodiscard]] const Identity* identity_if_known() const { return identified ? &identity : nullptr; }
};
Opened open_input(const std::string& name, const Settings& settings);

/// Tells findings on stderr, and the error if there is one. Returns the exit code.
Exit report_findings(const Opened& opened, const Settings& settings);

/// `envelope` of a file that was opened.
Value opened_envelope(std::string_view command, const Opened& opened);

}  // namespace thaw::cli
