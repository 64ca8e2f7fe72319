// Bytes as text and text as bytes.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Letters and digits of ASCII, whatever the locale: games compare names of files, bones and keywords without
// regard to the case of these letters and of no others.

namespace thaw::ascii {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

constexpr bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

constexpr bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}
constexpr bool begins_with(std::string_view text, std::string_view start) {
  return same(text.substr(0, start.size()), start);
}
constexpr bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && same(text.substr(text.size() - end.size()), end);
}

/// Of a hexadecimal digit in either case, 0 to 15; 16 for any other character.
constexpr unsigned hex_value(char c) {
  const char l = lower(c);
  return l >= '0' && l <= '9'   ? static_cast<unsigned>(l - '0')
         : l >= 'a' && l <= 'f' ? static_cast<unsigned>(l - 'a') + 10U
                                : 16U;
}

}  // namespace thaw::ascii

// Paths of games, whose parts are separated by `/` or `\\`.

namespace thaw {

/// The name of the file: all after the last separator.
constexpr std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

/// A dot at the beginning of a name begins no extension.
constexpr std::string_view without_extension(std::string_view path) {
  const std::size_t dot = last_part(path).rfind('.');
  return dot == std::string_view::npos || dot == 0
             ? path
             : path.substr(0, path.size() - last_part(path).size() + dot);
}

/// The last part without its extension, as UTF-8: a name for people.
inline std::string path_stem(std::string_view path) {
  const std::string_view file = last_part(path);
  return to_utf8(file.substr(0, file.find_last_of('.')));
}

// How far a word is from another: to suggest one for a word that is unknown.

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
inline std::size_t word_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    before = last;
    std::swap(last, now);
  }
  return last.back();
}

}  // namespace thaw
