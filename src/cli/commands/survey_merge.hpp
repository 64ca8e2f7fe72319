// One survey of many that were made in parts, as with --shard.
#pragma once

#include "cli/arguments/commands.hpp"

namespace thaw::cli {

/// The inputs are what `survey --json` wrote. Prints what one survey of all their files would have printed,
/// sorted by name. Fails if a part breaks off before its summary, if one is missing, if parts are of
/// different batches, or if two have the same file.
int merge_surveys(const Settings& settings);

}  // namespace thaw::cli
