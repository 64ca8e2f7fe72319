// Numbers of CASC's tables: big-endian ones, of any width, as far as the bytes reach.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace thaw::casc {

/// As much of an encoded file's MD5 as indices and trees of names keep.
using ShortKey = std::array<std::uint8_t, 9>;
/// The MD5 of a file: of its plain content, or of what names its encoded form.
using Key = std::array<std::uint8_t, 16>;

/// A big-endian number of `width` bytes that are there.
inline std::uint64_t big(const std::uint8_t* from, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    value = value << 8U | from[i];
  }
  return value;
}
inline std::uint32_t big32(const std::uint8_t* from) { return static_cast<std::uint32_t>(big(from, 4)); }

/// A little-endian number of 32 bits that is there.
inline std::uint32_t little32(const std::uint8_t* from) {
  return std::uint32_t{from[3]} << 24U | std::uint32_t{from[2]} << 16U | std::uint32_t{from[1]} << 8U |
         from[0];
}

/// Whether `size` bytes from `at` on lie in so many.
constexpr bool fits(std::uint64_t at, std::uint64_t size, std::uint64_t all) {
  return at <= all && size <= all - at;
}

template <std::size_t N>
std::array<std::uint8_t, N> key_at(const std::uint8_t* from) {
  std::array<std::uint8_t, N> key{};
  std::copy(from, from + N, key.begin());
  return key;
}
inline ShortKey shortened(const Key& key) { return key_at<std::tuple_size_v<ShortKey>>(key.data()); }

}  // namespace thaw::casc
