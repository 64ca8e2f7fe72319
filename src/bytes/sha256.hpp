// SHA-256 (FIPS 180-4): by it equal files are found.
#pragma once

#include <thaw/bytes.hpp>

#include <array>

namespace thaw {

using Sha256 = std::array<std::uint8_t, 32>;
Sha256 sha256(ByteView bytes);

}  // namespace thaw
