// Bob Jenkins's lookup3, by which CASC knows names and checks its indices (casc.md#hashes).
#pragma once

#include <thaw/bytes.hpp>

#include <utility>

namespace thaw::casc {

/// `hashlittle2`: both seeds go in, both halves of the hash come out, the better one first.
std::pair<std::uint32_t, std::uint32_t> lookup3(ByteView bytes, std::uint32_t first, std::uint32_t second);

/// `hashlittle`.
inline std::uint32_t lookup3(ByteView bytes, std::uint32_t seed) { return lookup3(bytes, seed, 0).first; }

}  // namespace thaw::casc
