// Bytes as text and text as bytes.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <string_view>

namespace thaw {

inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline Bytes to_bytes(std::string_view text) {
  const ByteView bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

/// How editors may begin a text in UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? text.substr(kByteOrderMark.size()) : text;
}

/// Words with one space between them, as those of descriptors.
constexpr std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }
constexpr bool contains_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::string_view one = first_word(words.substr(at));
    if (one == word) {
      return true;
    }
    at += one.size() + 1;
  }
  return false;
}

/// Could these bytes be the beginning of a chunk, of which no more is there?
inline bool begins_like_tag(ByteView bytes) {
  const ByteView tag = bytes.first(std::min(bytes.size(), sizeof(FourCC)));
  return !tag.empty() && std::all_of(tag.begin(), tag.end(), [](std::uint8_t byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
  });
}

}  // namespace thaw
