// Many files with several threads, reported in the order of the inputs.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/value.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// What came of one input.
struct Outcome {
  std::string out;  ///< for stdout
  std::string err;  ///< for stderr
  Exit exit = kOk;
  bool warned = false;
  bool damaged = false;  ///< it was not read as a whole
  bool skipped = false;
  bool elsewhere = false;   ///< another part of the batch has it: not counted
  bool unreported = false;  ///< there was no memory to report why it failed
  Format format;
};

struct Tally {
  std::size_t ok = 0;
  std::size_t warned = 0;     ///< of those that are ok
  std::size_t differing = 0;  ///< of those that are ok, with the exit code kDifferent
  std::size_t damaged = 0;    ///< of those that are ok
  std::size_t failed = 0;
  std::size_t skipped = 0;
  std::map<std::string, std::size_t> skipped_formats;
  Exit exit = kOk;
  bool complete = false;  ///< all inputs are in it: nothing has stopped the run
};

struct BatchJobs {
  std::function<Outcome(std::size_t index)> work;
  /// Reports an input that was given up: limit.time, limit.memory.
  std::function<Outcome(std::size_t index, const Error& error)> give_up;
  /// Stands on stdout between what two inputs have to say.
  std::string_view between = {};
  /// With --isolate: what a process of its own does for `work`, and what becomes here of the bytes that come
  /// back. Without these it does all of `work`, and its outcome comes back.
  std::function<Bytes(std::size_t index)> apart = nullptr;
  std::function<Outcome(std::size_t index, Bytes bytes)> join = nullptr;
  bool here = false;  ///< with --isolate, too: it leaves more than bytes can state
};

/// Works on every input, on --jobs threads, and prints what comes of it in order. What `work` throws is that
/// input's failure; each input has the time of --timeout. With --fail-fast nothing after the first failure
/// is reported.
Tally run_batch(const Settings& settings, std::span<const Input> inputs, const BatchJobs& work);

/// With --isolate: has processes of their own do `work` first, and drop what comes of it. Of each input why
/// it has to be given up, if it has. What is left can be done here: it did no harm there.
std::vector<std::optional<Error>> rehearse(const Settings& settings, std::span<const Input> inputs,
                                           const std::function<void(std::size_t index)>& work);

/// "12 ok, 3 warned, 1 failed, 2 skipped (mdl 2)".
std::string tally_text(const Tally& tally);
/// The same numbers for JSON.
void add_tally(Value& value, const Tally& tally);

}  // namespace thaw::cli
