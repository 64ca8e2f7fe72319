// Reading a built file again, as the format that it says it is of.
#pragma once

#include <thaw/format.hpp>

#include "patch/build.hpp"

namespace thaw {

/// Errors: build.layout, build.differs where other fields would be read than were built.
Result<AnyDocument> read_built(const Built& built, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace thaw
