// Bytes as text and text as bytes.
#pragma once

#include <thaw/bytes.hpp>

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

}  // namespace thaw
