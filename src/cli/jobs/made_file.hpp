// Commands that make one file of what they read: `build`, `set`, `merge`.
#pragma once

#include "cli/jobs/engine.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// The text of a file, whatever it is.
Result<std::string> load_text(const std::string& name, const Settings& settings);

/// The bytes that are written, with what was found.
using MakeFile = std::function<Result<Bytes>(Diagnostics& findings)>;

/// Writes to --output what `make` gives; with `in_place` that may be one of the inputs.
Exit make_file(const Settings& settings, std::string_view command, std::string_view done, const JobKind& kind,
               const std::vector<std::string>& inputs, bool in_place, const MakeFile& make);

}  // namespace thaw::cli
