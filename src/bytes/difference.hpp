// First difference of two texts of bytes.
#pragma once

#include <thaw/bytes.hpp>

#include <cstdint>
#include <optional>

namespace thaw {

/// The first byte that is not the same, or the length of the shorter one; none if they are the same.
std::optional<std::uint64_t> first_difference(ByteView a, ByteView b);

}  // namespace thaw
