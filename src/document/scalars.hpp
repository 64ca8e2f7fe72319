// Scalars of an inspected leaf as text. JSON, diff and tree show numbers in the same way.
#pragma once

#include <thaw/inspect.hpp>

#include <string>

namespace thaw {

/// Appends the scalar at `from` (host byte order, any alignment): integers in decimal, floats shortest exact.
/// Non-finite floats are words: "nan", "inf", "-inf", and "nan:7fc00001" where a NaN is not the usual one.
/// Returns false if a word was appended, which JSON has to quote.
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
