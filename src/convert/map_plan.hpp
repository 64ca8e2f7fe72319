// Plans for maps of World of Warcraft's alpha: an output of each tile, or one of all.
#pragma once

#include <thaw/convert.hpp>

namespace thaw::conversion {

/// Errors: those of wdt::open and wdl::read, world.no-tile.
Result<std::unique_ptr<const ConvertPlan>> plan_map(const ConvertInput& input, const ConvertTarget& target,
                                                    const ConvertOptions& options, const Sources& sources,
                                                    Diagnostics& diagnostics);

}  // namespace thaw::conversion
