#include "bytes/base64.hpp"

#include <algorithm>

namespace thaw {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kDigitsOfUrls = "-_";

/// 0 to 63, or 64 for what is no digit.
constexpr unsigned kNoDigit = 64;
unsigned value_of(char c) {
  const std::size_t digit = kDigits.find(c);
  const std::size_t other = kDigitsOfUrls.find(c);
  return digit != std::string_view::npos   ? static_cast<unsigned>(digit)
         : other != std::string_view::npos ? static_cast<unsigned>(62 + other)
                                           : kNoDigit;
}

}  // namespace

void append_base64(std::string& text, ByteView bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8U | (i < count ? bytes[at + i] : 0U);
    }
    for (unsigned i = 0; i < 4; ++i) {
      text += i <= count ? kDigits[word >> (18U - 6U * i) & 0x3FU] : '=';
    }
  }
}

std::optional<Bytes> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') {
    text.remove_suffix(1);
  }
  Bytes bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t word = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const unsigned digit = value_of(c);
    if (digit == kNoDigit) {
      return std::nullopt;
    }
    word = word << 6U | digit;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<std::uint8_t>(word >> bits & 0xFFU));
    }
  }
  return bytes;
}

}  // namespace thaw
