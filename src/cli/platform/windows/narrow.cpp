// Narrow text is UTF-8 in this program: in paths that are made of strings, too. The standard library of mingw
// makes them with the C library's mbrtowc, which knows the code page of the system at best;
// src/CMakeLists.txt has the linker put this one in its place. Any bytes give text: what is no UTF-8 is taken
// as Latin-1, as names in old archives mostly are.

#include <cstddef>
#include <cstdint>
#include <cwchar>

namespace {

/// A sequence's length by its first byte; 0 for what begins none.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  return first >= 0xC2 && first < 0xE0   ? 2
         : first >= 0xE0 && first < 0xF0 ? 3
         : first >= 0xF0 && first < 0xF5 ? 4
                                         : 0;
}

/// The character that begins here and its length in bytes; a byte by itself where that is none.
std::uint32_t character(const char* text, std::size_t size, std::size_t& length) {
  const auto first = static_cast<unsigned char>(*text);
  length = length_of(first);
  if (length <= 1 || length > size) {
    length = 1;
    return first;
  }
  std::uint32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) {
      length = 1;
      return first;
    }
    value = value << 6U | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  if (overlong || surrogate || value > 0x10FFFF) {
    length = 1;
    return first;
  }
  return value;
}

}  // namespace

/// As mbrtowc of the C standard. A character of two UTF-16 units comes in two calls: the first takes three
/// bytes of four and leaves the second unit in the state.
extern "C" std::size_t __wrap_mbrtowc(wchar_t* out, const char* text, std::size_t size,
                                      std::mbstate_t* state) {
  static std::mbstate_t internal{};
  state = state == nullptr ? &internal : state;
  if (text == nullptr) {
    *state = {};
    return 0;
  }
  if (size == 0) {
    return static_cast<std::size_t>(-2);
  }
  wchar_t unit = 0;
  std::size_t length = 1;
  if (*state != 0) {
    unit = static_cast<wchar_t>(*state);
    *state = 0;
  } else {
    std::uint32_t value = character(text, size, length);
    if (value >= 0x10000) {
      value -= 0x10000;
      *state = static_cast<std::mbstate_t>(0xDC00U | (value & 0x3FFU));
      value = 0xD800U | value >> 10U;
      length = 3;
    }
    unit = static_cast<wchar_t>(value);
  }
  if (out != nullptr) {
    *out = unit;
  }
  return unit == 0 ? 0 : length;
}
