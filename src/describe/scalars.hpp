// Scalars of an inspected leaf as text. JSON, diff and tree show numbers in the same way.
#pragma once

#include <thaw/inspect.hpp>

#include <string>

namespace thaw {

/// 32 bits: three numbers of 10 bits from the lowest on, each / 1023, and two bits above them. No
/// enumerator, because other languages are given the bits.
inline constexpr auto kPacked10 = static_cast<ScalarKind>(11);

/// Appends the scalar at `from` (host byte order, any alignment): integers in decimal, floats shortest exact.
/// Non-finite floats are words: "nan", "inf", "-inf", and "nan:7fc00001" where a NaN is not the usual one.
/// Packed numbers are lists. Returns false if a word was appended, which JSON has to quote.
bool append_scalar(std::string& text, ScalarKind kind, const void* from);

/// The bytes of a leaf; empty where it has none.
inline ByteView leaf_bytes(const Leaf& leaf) {
  return leaf.data == nullptr
             ? ByteView{}
             : ByteView{static_cast<const std::uint8_t*>(leaf.data), static_cast<std::size_t>(leaf.size)};
}

/// The text before the first NUL, as UTF-8.
std::string leaf_text(const Leaf& leaf);

}  // namespace thaw
