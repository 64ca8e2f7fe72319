// Letters and digits of ASCII, whatever the locale: games compare names of files, bones and keywords without
// regard to the case of these letters and of no others.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

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
