// The end of a batch.
#pragma once

#include "cli/batch.hpp"

#include <string_view>

namespace thaw::cli {

/// A summary object on stdout with --json, else a line on stderr unless it shall be quiet.
void tell_summary(const Settings& settings, std::string_view command, const Tally& tally);

}  // namespace thaw::cli
