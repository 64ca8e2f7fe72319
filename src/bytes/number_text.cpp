#include "bytes/number_text.hpp"

#include "bytes/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace thaw {
namespace {

constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

template <class... T>
void append(std::string& out, T... value) {
  std::array<char, 64> text{};  // the longest double has 24 characters
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value...);
  out.append(text.data(), result.ptr);
}

#ifdef __cpp_lib_to_chars

void append_shortest(std::string& out, float value) { append(out, value); }
void append_shortest(std::string& out, double value) { append(out, value); }

void append_general(std::string& out, float value, unsigned digits) {
  append(out, value, std::chars_format::general, static_cast<int>(digits));
}

float parse_rounded(const char* begin, const char* end, bool& out_of_range) {
  float value = 0;
  out_of_range = std::from_chars(begin, end, value).ec == std::errc::result_out_of_range;
  return value;
}

double parse_rounded_double(const char* begin, const char* end) {
  double value = 0;  // what is too small
  std::from_chars(begin, end, value);
  return value;
}

#else  // libraries that know no floats here, as that of browsers; nothing changes the locale there

constexpr std::size_t kText = 400;  // the longest double without an exponent has 309 digits

std::string printed(const char* format, int precision, double value) {
  std::array<char, kText> text{};
  const int length = std::snprintf(text.data(), text.size(), format, precision, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

float read_back(const std::string& text, float /*like*/) { return std::strtof(text.c_str(), nullptr); }
double read_back(const std::string& text, double /*like*/) { return std::strtod(text.c_str(), nullptr); }

/// d.ddde+xx as ddddxx or d.ddd, which to_chars prefers where it is no longer.
std::string without_exponent(const std::string& scientific, double value) {
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  const std::size_t sign = scientific[0] == '-' ? 1 : 0;
  const auto digits = static_cast<int>(e - sign) - (e > sign + 1 ? 1 : 0);
  return printed("%.*f", std::max(0, digits - 1 - exponent), value);
}

/// The digits of a number without its point, and its power of ten: 1.25 is 125 and 0.
struct Digits {
  std::uint64_t number = 0;
  int count = 0;  ///< 0 if they are not known
  int exponent = 0;
};

double scaled_by(double value, int power) {
  const double factor = kPowers.at(static_cast<std::size_t>(std::abs(power)));
  return power >= 0 ? value * factor : value / factor;
}

/// The fewest digits of a float of usual size, above 0, by doubles, whose errors are small next to a float's;
/// not where these could decide.
Digits shortest_digits(float value) {
  constexpr double kLeast = 1e-6;
  constexpr double kMost = 1e9;
  constexpr double kDoubt = 1e-6;  // of a last digit
  constexpr double kError = 1e-15;
  const double exact{value};
  if (!(exact >= kLeast && exact < kMost)) {
    return {};
  }
  const double low = (exact + double{std::nextafter(value, 0.0F)}) / 2 * (1 + kError);
  const double high = (exact + double{std::nextafter(value, HUGE_VALF)}) / 2 * (1 - kError);
  Digits digits{0, 1, -6};
  while (exact >= scaled_by(1, digits.exponent + 1)) {
    ++digits.exponent;
  }
  for (; digits.count <= std::numeric_limits<float>::max_digits10; ++digits.count) {
    const int power = digits.count - 1 - digits.exponent;
    const double scaled = scaled_by(exact, power);
    const double rounded = std::floor(scaled + 0.5);
    const double back = scaled_by(rounded, -power);
    const bool inside = back > low && back < high;
    const bool outside = back < low * (1 - 3 * kError) || back > high * (1 + 3 * kError);
    if (std::fabs(scaled + 0.5 - std::round(scaled + 0.5)) < kDoubt && rounded != scaled && inside) {
      return {};
    }
    if (inside) {
      digits.number = static_cast<std::uint64_t>(rounded);
      if (rounded >= scaled_by(1, digits.count)) {  // 9.96 as 10
        digits.number /= 10;
        ++digits.exponent;
      }
      return digits;
    }
    if (!outside) {
      return {};
    }
  }
  return {};
}

/// As to_chars: without an exponent where that is no longer.
std::string text_of_digits(const Digits& digits, float value) {
  std::string scientific = std::to_string(digits.number);
  std::string fixed = scientific;
  if (digits.count > 1) {
    scientific.insert(1, ".");
  }
  const int size = std::abs(digits.exponent);
  scientific += digits.exponent < 0 ? "e-" : "e+";
  scientific += size < 10 ? "0" : "";
  scientific += std::to_string(size);
  const int after = digits.count - 1 - digits.exponent;
  if (after <= 0) {
    fixed = std::to_string(static_cast<std::uint64_t>(value));
  } else {
    fixed.insert(0, static_cast<std::size_t>(std::max(0, after + 1 - digits.count)), '0');
    fixed.insert(fixed.size() - static_cast<std::size_t>(after), ".");
  }
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

template <class T>
void append_shortest(std::string& out, T value) {
  if (value == 0) {
    out += std::signbit(value) ? "-0" : "0";
    return;
  }
  if constexpr (std::is_same_v<T, float>) {
    if (const Digits digits = shortest_digits(std::fabs(value)); digits.count > 0) {
      out += value < 0 ? "-" : "";
      out += text_of_digits(digits, std::fabs(value));
      return;
    }
  }
  std::string scientific;
  for (int precision = 0; precision <= std::numeric_limits<T>::max_digits10; ++precision) {
    scientific = printed("%.*e", precision, double{value});
    if (read_back(scientific, value) == value) {
      break;
    }
  }
  const std::string fixed = without_exponent(scientific, double{value});
  out += fixed.size() <= scientific.size() ? fixed : scientific;
}

void append_general(std::string& out, float value, unsigned digits) {
  out += printed("%.*g", static_cast<int>(digits), double{value});
}

float parse_rounded(const char* begin, const char* end, bool& out_of_range) {
  const float value = std::strtof(std::string(begin, end).c_str(), nullptr);
  out_of_range = std::isinf(value) || value == 0;
  return value;
}

double parse_rounded_double(const char* begin, const char* end) {
  return std::strtod(std::string(begin, end).c_str(), nullptr);
}

#endif

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits of a number as an integer and a power of ten.
struct Decimal {
  std::uint64_t mantissa = 0;
  int exponent = 0;
  unsigned digits = 0;        ///< significant ones
  const char* end = nullptr;  ///< null if there is no number
};

constexpr unsigned kExactDigits = 19;  // fit into 64 bits

const char* scan_digits(const char* at, const char* end, Decimal& number) {
  for (; at < end && is_digit(*at); ++at) {
    number.mantissa = number.mantissa * 10 + static_cast<std::uint64_t>(*at - '0');
    number.digits += number.mantissa != 0 ? 1U : 0U;
  }
  return at;
}

/// After the digits: `e` with digits, or nothing.
const char* scan_exponent(const char* at, const char* end, int& exponent) {
  const char* p = at;
  if (p == end || ascii::lower(*p) != 'e') {
    return at;
  }
  ++p;
  const bool negative = p < end && *p == '-';
  p += p < end && (*p == '-' || *p == '+') ? 1 : 0;
  if (p == end || !is_digit(*p)) {
    return at;
  }
  constexpr int kHuge = 100000;  // beyond every float, however many digits stand before it
  int value = 0;
  for (; p < end && is_digit(*p); ++p) {
    value = value < kHuge ? value * 10 + (*p - '0') : value;
  }
  exponent += negative ? -value : value;
  return p;
}

Decimal scan_decimal(const char* begin, const char* end) {
  Decimal number;
  const char* at = scan_digits(begin, end, number);
  bool any = at != begin;
  if (at < end && *at == '.') {
    const char* fraction = at + 1;
    at = scan_digits(fraction, end, number);
    constexpr std::ptrdiff_t kHuge = -1000000;
    number.exponent = static_cast<int>(std::max(fraction - at, kHuge));
    any = any || at != fraction;
  }
  if (any) {
    number.end = scan_exponent(at, end, number.exponent);
  }
  return number;
}

/// The number through a double, where that rounds only once. The quotient or product of two exact doubles is
/// off by half a unit at most, so rounding it to a float is right unless it lies next to the middle between
/// two floats.
bool exact_by_double(const Decimal& number, float& value) {
  constexpr std::uint64_t kExactInteger = std::uint64_t{1} << 53U;
  constexpr int kLargest = 22;
  if (number.digits > kExactDigits || number.mantissa > kExactInteger || number.exponent < -kLargest ||
      number.exponent > kLargest) {
    return false;
  }
  const auto mantissa = static_cast<double>(number.mantissa);
  const double scaled = number.exponent < 0 ? mantissa / kPowers[static_cast<std::size_t>(-number.exponent)]
                                            : mantissa * kPowers[static_cast<std::size_t>(number.exponent)];
  constexpr double kLeast = 1.1754943508222875e-38;  // below, floats have fewer bits
  constexpr double kMost = 3.4e38;
  if (scaled != 0 && (scaled < kLeast || scaled > kMost)) {
    return false;
  }
  constexpr std::uint64_t kDropped = (std::uint64_t{1} << 29U) - 1;
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 28U;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &scaled, sizeof bits);
  const std::uint64_t dropped = bits & kDropped;
  if (dropped >= kMiddle - 1 && dropped <= kMiddle + 1) {
    return false;
  }
  value = static_cast<float>(scaled);
  return true;
}

/// Any number of digits. `begin` is after the sign.
float slow_number(const char* begin, const Decimal& number) {
  bool out_of_range = false;
  const float value = parse_rounded(begin, number.end, out_of_range);
  if (out_of_range) {
    // The place of the first significant digit decides on which side it is.
    const auto magnitude = static_cast<std::int64_t>(number.digits) + number.exponent;
    return magnitude > 0 ? std::numeric_limits<float>::infinity() : 0.0F;
  }
  return value;
}

/// `word`, in any case, at the beginning of the text; its end or null.
const char* skip_word(const char* at, const char* end, std::string_view word) {
  for (const char c : word) {
    if (at == end || ascii::lower(*at) != c) {
      return nullptr;
    }
    ++at;
  }
  return at;
}

/// Letters and what C libraries put into parentheses after `nan`.
const char* skip_nan_payload(const char* at, const char* end) {
  const auto is_letter = [](char c) {
    return (ascii::lower(c) >= 'a' && ascii::lower(c) <= 'z') || is_digit(c);
  };
  if (at == end || *at != '(') {
    return at;
  }
  const char* p = at + 1;
  while (p < end && is_letter(*p)) {
    ++p;
  }
  return p < end && *p == ')' ? p + 1 : at;
}

struct Special {
  std::string_view word;
  bool infinite;
};

const char* parse_special(const char* at, const char* end, float& value) {
  constexpr std::array kWords = {Special{"infinity", true}, Special{"inf", true},   Special{"nan", false},
                                 Special{"qnan", false},    Special{"snan", false}, Special{"ind", false}};
  for (const auto& special : kWords) {
    if (const char* after = skip_word(at, end, special.word)) {
      value =
          special.infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
      return special.infinite ? after : skip_nan_payload(after, end);
    }
  }
  return nullptr;
}

/// What Microsoft's C library has after `1.`: its words filled up with zeros or rounded as digits, as wide
/// as the format says (`%f`: 1.#INF00, `%.2f`: 1.#J, 1.#R), with an exponent from `%e`. Rounded, #IND and
/// #INF are the same.
const char* parse_microsoft(const char* at, const char* end, float& value) {
  if (at < end && *at == '$') {  // %.1f
    value = std::numeric_limits<float>::infinity();
    return at + 1;
  }
  constexpr std::array kWords = {
      Special{"#inf", true},  Special{"#ind", false}, Special{"#qnan", false}, Special{"#snan", false},
      Special{"#io", true},   Special{"#j", true},    Special{"#qnb", false},  Special{"#qo", false},
      Special{"#r", false},   Special{"#snb", false}, Special{"#so", false},   Special{"#t", false},
      Special{"#nan", false},
  };
  const auto* const word = std::find_if(kWords.begin(), kWords.end(), [&](const Special& special) {
    return skip_word(at, end, special.word) != nullptr;
  });
  if (word == kWords.end()) {
    return nullptr;
  }
  value = word->infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  const char* after = at + word->word.size();
  while (after < end && *after == '0') {
    ++after;
  }
  const char* exponent = after;
  if (exponent < end && ascii::lower(*exponent) == 'e') {
    exponent += exponent + 1 < end && (exponent[1] == '+' || exponent[1] == '-') ? 2 : 1;
    while (exponent < end && is_digit(*exponent)) {
      after = ++exponent;
    }
  }
  return after;
}

}  // namespace

void append_number(std::string& out, float value) { append_shortest(out, value); }
void append_number(std::string& out, double value) { append_shortest(out, value); }
void append_number(std::string& out, std::int64_t value) { append(out, value); }

void append_rounded(std::string& out, float value, unsigned digits) { append_general(out, value, digits); }

void append_any_number(std::string& out, float value) {
  if (std::isfinite(value)) {
    append_number(out, value);
  } else {
    out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
}

const char* parse_number(const char* begin, const char* end, float& value) {
  const char* at = begin;
  const bool negative = at < end && *at == '-';
  at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
  const Decimal number = scan_decimal(at, end);
  const char* after = number.end;
  if (after == nullptr) {
    after = parse_special(at, end, value);
  } else if (after < end && (*after == '#' || *after == '$')) {  // 1.#INF
    after = parse_microsoft(after, end, value);
  } else if (!exact_by_double(number, value)) {
    value = slow_number(at, number);
  }
  if (after == nullptr) {
    return begin;
  }
  value = negative ? -value : value;
  return after;
}

bool parse_double(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const bool negative = !text.empty() && text.front() == '-';
  const char* const at = text.data() + (negative || (!text.empty() && text.front() == '+') ? 1 : 0);
  const Decimal number = scan_decimal(at, end);
  constexpr std::int64_t kMost = std::numeric_limits<double>::max_exponent10;
  const double read = number.end == end && end != at ? parse_rounded_double(at, end) : 0.0;
  const bool large = static_cast<std::int64_t>(number.digits) + number.exponent > kMost;
  if (number.end != end || std::isinf(read) || (read == 0 && number.digits > 0 && large)) {
    return false;
  }
  value = negative ? -read : read;
  return true;
}

std::optional<std::uint32_t> parse_whole(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

const char* parse_integer(const char* begin, const char* end, std::int64_t& value) {
  const char* at = begin;
  const bool negative = at < end && *at == '-';
  at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
  Decimal number;
  const char* after = scan_digits(at, end, number);
  constexpr unsigned kMostDigits = 18;
  if (after == at || number.digits > kMostDigits) {
    return begin;
  }
  value = negative ? -static_cast<std::int64_t>(number.mantissa) : static_cast<std::int64_t>(number.mantissa);
  return after;
}

std::string short_number(double number) {
  constexpr int kDigits = 3;
  if (!(number > 0) || !std::isfinite(number)) {
    return "0";
  }
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - (kDigits - 1));
  std::string text;
  append_number(text, static_cast<float>(std::round(number / unit) * unit));
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  if (const std::size_t per = noun.find(" per "); per != std::string_view::npos) {
    return counted(count, noun.substr(0, per)) + std::string(noun.substr(per));
  }
  std::string text = std::to_string(count) + ' ';
  text += count != 1 && noun == "vertex" ? "vertice" : noun;
  const std::string_view end = noun.size() > 2 ? noun.substr(noun.size() - 2) : std::string_view();
  const bool hissing = end == "sh" || end == "ch";
  return count == 1 ? text : text + (hissing ? "es" : "s");
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 24;
  std::string text = names.empty() ? "none" : "";
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kMost ? text + " and " + counted(names.size() - kMost, "other") : text;
}

}  // namespace thaw
