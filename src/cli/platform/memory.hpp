#pragma once

#include <cstdint>

namespace thaw::cli {

/// From here on the process gets no more than this much memory of its own: what exceeds it fails as
/// std::bad_alloc. False where the system has no such limit.
bool limit_memory(std::uint64_t bytes);

}  // namespace thaw::cli
