// Numbers as text and back: shortest digits that read back as the same number, `.` as the decimal point
// whatever the locale, valid as JSON and as MDL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// `value` must be finite.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);
void append_number(std::string& out, std::int64_t value);
/// At most this many significant digits, 1 to 9; trailing zeros are left out.
void append_rounded(std::string& out, float value, unsigned digits);

/// Any bits of a float: `nan`, `inf` and `-inf` where the others cannot say it. Which NaN it is gets lost.
void append_any_number(std::string& out, float value);

/// Reads a decimal number, correctly rounded whatever the number of digits:
///   [+-] digits [. digits] [e [+-] digits]    with leading zeros, a bare dot before or after the digits
///   [+-] nan | inf | infinity | ind           in any case, also as C libraries print them: -nan(ind),
///                                             1.#INF00, -1.#IND, 1.#QNAN, 1.#J
/// What is too large becomes infinite, what is too small zero. Returns the end of the number, or `begin` if
/// there is none.
const char* parse_number(const char* begin, const char* end, float& value);

/// The same of a whole text of that form without words, as a double; false, and nothing changed, for any
/// other text and for what is too large.
bool parse_double(std::string_view text, double& value);

/// A whole text of digits; none for any other text, and for what 32 bits cannot hold.
std::optional<std::uint32_t> parse_whole(std::string_view text);

/// Reads [+-] digits. Returns `begin` if there are none or they exceed 18 digits without leading zeros.
const char* parse_integer(const char* begin, const char* end, std::int64_t& value);

// Numbers as they are shown to people.

/// Three digits, enough to judge by: "1.2e-05", "4.76". 0 for what is not a number above 0.
std::string short_number(double number);

/// "1 clip", "6 clips".
std::string counted(std::uint64_t count, std::string_view noun);

/// "Walk, Stand and 5 others": the existing names, for a request that matches none. "none" without any.
std::string names_text(const std::vector<std::string>& names);

}  // namespace thaw
