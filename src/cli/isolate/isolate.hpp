// --isolate: the command runs in a process that reads its inputs and nothing else, and this one writes what
// it makes.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/sources.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/platform/isolation.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace thaw::cli {

/// Splits the process: none in the one that goes on with the command, the exit code in the one that started
/// it. `words` are the values of options: files among them may be read. `whole` has --timeout for the run,
/// not for each file.
std::optional<int> run_isolated(const Settings& settings, const std::vector<std::string>& words, bool whole);

/// The same for a server: the process that goes on answers connections to `listener` and reads the inputs,
/// what `words` name and `page`; the one outside calls `on_ready` at the other's request (`report_ready`).
std::optional<int> serve_isolated(const Settings& settings, const std::vector<std::string>& words,
                                  const std::filesystem::path& page, const Socket& listener,
                                  const std::function<void()>& on_ready);
void report_ready();

/// What became of a child that did not end by itself.
Error error_of(const ProcessEnd& end);

/// `save_file` by the process outside, which refuses names that no output of the run can have.
Result<void> save_outside(const std::filesystem::path& path, ByteView bytes, bool overwrite,
                          const std::optional<FileStamp>& expected);

}  // namespace thaw::cli
