// Archives, and whatever else may be larger than memory: written piece by piece to where they belong, or
// nowhere in a dry run.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "cli/arguments/settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace thaw::cli {

/// The report of an archive that was written.
struct ArchiveReport {
  std::string_view command;
  std::string_view done;    ///< status: "packed"
  std::string facts;        ///< "12 files"
  Value::Object json = {};  ///< further members for machines
  Diagnostics findings = Diagnostics();
};

/// Looks at a file that was written before it has its name.
using CheckFile =
    std::function<Result<void>(const std::shared_ptr<const Storage>& file, ArchiveReport& report)>;

/// Opens the output, has it written and reports it. Returns the exit code; no file remains when
/// `make` or `check` fails, or the output is no longer the file that is `expected` (`write_file`).
Exit save_archive(const Settings& settings, const std::string& output,
                  const std::function<Result<void>(Sink& out, ArchiveReport& report)>& make,
                  ArchiveReport report, const CheckFile& check = nullptr,
                  const std::optional<FileStamp>& expected = {});

}  // namespace thaw::cli
