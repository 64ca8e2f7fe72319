// Mutations that know how a file is built: chunks, lists and fields as the library's own inspection shows
// them. Plain bytes in, plain bytes out; the same seed gives the same mutant.
#pragma once

#include <thaw/bytes.hpp>

#include <cstdint>
#include <optional>

namespace thaw::fuzz {

/// A change to a file that reads: a number set to a telling value, or an object removed, doubled, shortened,
/// or exchanged with its neighbour, where sizes, counts and offsets that agreed with it are mostly kept in
/// agreement. None for bytes that do not read, or if the mutant would be longer than `most`.
std::optional<Bytes> mutate(ByteView file, std::size_t most, std::uint32_t seed);

/// The first file with an object of the second in place of one of its own, of the same kind if there is one.
std::optional<Bytes> cross_over(ByteView first, ByteView second, std::size_t most, std::uint32_t seed);

}  // namespace thaw::fuzz
