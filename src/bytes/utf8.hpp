// Characters as UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace thaw {

/// `point` is a code point of Unicode, up to 0x10FFFF and no half of a surrogate pair.
inline void append_utf8(std::string& text, std::uint32_t point) {
  const auto byte = [&](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  const auto rest = [&](unsigned shift) { byte(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0U | point >> 6U);
    rest(0);
  } else if (point < 0x10000) {
    byte(0xE0U | point >> 12U);
    rest(6);
    rest(0);
  } else {
    byte(0xF0U | point >> 18U);
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace thaw
