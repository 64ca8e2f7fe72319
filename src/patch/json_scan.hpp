// JSON as text that is walked once: what dumps are built from and patches are made of. Values stay where they
// are until they are requested.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thaw {

/// Nesting beyond which a text is refused.
inline constexpr unsigned kJsonDepth = 256;

/// After blanks and line ends.
inline const char* skip_blanks(const char* at, const char* end) {
  while (at != end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
    ++at;
  }
  return at;
}

/// The end of the value that begins here; null, and `wrong` set to the place, if none does. Reads brackets
/// and strings only: numbers and words are for whoever reads them.
const char* skip_json(const char* at, const char* end, const char*& wrong);

/// The end of the string that begins here with its quote; null if it does not end.
const char* skip_json_string(const char* at, const char* end);

/// What a string with its quotes says, as UTF-8; none if an escape is wrong.
std::optional<std::string> json_string(std::string_view quoted);

/// "3:14": line and column of a place.
std::string line_and_column(std::string_view text, const char* at);

}  // namespace thaw
