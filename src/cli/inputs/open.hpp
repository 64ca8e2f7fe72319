// The commands that work on one file: read it or say why not.
#pragma once

#include <thaw/wdt.hpp>

#include "cli/report/report.hpp"

#include <optional>
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
  /// What is there of a file that was read: one of the two. Maps are read tile by tile.
  std::optional<AnyDocument> document = std::nullopt;
  std::optional<wdt::Stream> map = std::nullopt;
  std::optional<Error> failure = std::nullopt;

  [[nodiscard]] bool is_read() const { return !failure; }
  [[nodiscard]] const Error* error() const { return failure ? &*failure : nullptr; }
  /// Of what was read; refers to this.
  [[nodiscard]] Inspection inspection() const;
  /// dump_any of what was read, in pieces.
  void dump(const TextSink& sink, const Control* control) const;
  [[nodiscard]] const Identity* identity_if_known() const { return identified ? &identity : nullptr; }
};
Opened open_input(const std::string& name, const Settings& settings);
/// The same with every file read as a whole, maps too: for what changes or compares documents.
Opened open_document(const std::string& name, const Settings& settings);

/// Ends the command if a map can be read no more after it was opened: reports the error. None: all is well.
std::optional<Exit> failure_since(const Opened& opened, const Settings& settings);

/// Reports findings on stderr, and the error if there is one. Returns the exit code.
Exit report_findings(const Opened& opened, const Settings& settings);

/// `envelope` of a file that was opened.
Value opened_envelope(std::string_view command, const Opened& opened);

}  // namespace thaw::cli
