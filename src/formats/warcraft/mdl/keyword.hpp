// Words of MDL, compared without regard to case (mdl.md#characters).
#pragma once

#include "bytes/hash.hpp"
#include "bytes/text.hpp"

#include <cstdint>
#include <string_view>

namespace thaw::mdl {

constexpr bool is_word_start(char c) {
  const char l = ascii::lower(c);
  return (l >= 'a' && l <= 'z') || c == '_';
}
constexpr bool is_word_char(char c) { return is_word_start(c) || (c >= '0' && c <= '9'); }

/// A word of the grammar.
struct Keyword {
  std::string_view text;
  std::uint32_t hash;

  // NOLINTNEXTLINE(google-explicit-constructor): literals are keywords
  consteval Keyword(const char* literal) : text(literal), hash(WordHash::of(text)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): and texts
  constexpr operator std::string_view() const { return text; }
};

/// A word of a file.
struct Word {
  std::string_view text;
  std::uint32_t hash = 0;

  [[nodiscard]] bool is(const Keyword& keyword) const {
    return hash == keyword.hash && ascii::same(text, keyword.text);
  }
  [[nodiscard]] bool empty() const { return text.empty(); }
};

}  // namespace thaw::mdl
