// Standard input, as much of it as has come.
#pragma once

#include <thaw/diagnostics.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace thaw::cli {

/// Waits for at most so long and puts what is there into `buffer`. The number of bytes, 0 at the end; none if
/// nothing has come. The error is input.unreadable.
Result<std::optional<std::size_t>> read_stdin(std::span<std::uint8_t> buffer,
                                              std::chrono::milliseconds patience);

}  // namespace thaw::cli
