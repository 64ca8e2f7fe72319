#include "bytes/text_encoding.hpp"

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw {
namespace {

constexpr std::string_view kLowerDigits = "0123456789abcdef";

}  // namespace

void append_hex(std::string& text, ByteView bytes) {
  text.reserve(text.size() + bytes.size() * 2);
  for (const auto byte : bytes) {
    text.push_back(kLowerDigits[byte >> 4U]);
    text.push_back(kLowerDigits[byte & 0xFU]);
  }
}

std::string hex_text(std::uint64_t value, unsigned digits) {
  std::string text;
  for (unsigned digit = digits; digit-- > 0;) {
    text.push_back(kLowerDigits[value >> (digit * 4U) & 0xFU]);
  }
  return text;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  constexpr std::size_t kMostDigits = 16;
  if (text.empty() || text.size() > kMostDigits) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const unsigned digit = ascii::hex_value(c);
    if (digit > 0xF) {
      return std::nullopt;
    }
    value = value << 4U | digit;
  }
  return value;
}

std::optional<Bytes> bytes_of_hex(std::string_view text) {
  if (text.size() % 2 != 0) {
    return std::nullopt;
  }
  Bytes bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = parse_hex(text.substr(i, 2));
    if (!byte) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<std::uint8_t>(*byte));
  }
  return bytes;
}

std::string offset_text(std::uint64_t offset) {
  unsigned digits = 8;
  while (digits < 16 && offset >> (digits * 4U) != 0) {
    ++digits;
  }
  return "0x" + hex_text(offset, digits);
}

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

std::string percent_encoded(std::string_view name, std::string_view safe) {
  constexpr std::string_view kUnreserved = "-._~";
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : name) {
    const char l = ascii::lower(c);
    const auto byte = static_cast<unsigned char>(c);
    if ((l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || kUnreserved.find(c) != std::string_view::npos ||
        safe.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kHexDigits[byte >> 4U], kHexDigits[byte & 0xFU]};
    }
  }
  return uri;
}

std::string percent_decoded(std::string_view uri) {
  std::string result;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const unsigned high = ascii::hex_value(uri[i + 1]);
      const unsigned low = ascii::hex_value(uri[i + 2]);
      if (std::max(high, low) <= 0xF) {
        result += static_cast<char>(high << 4U | low);
        i += 2;
        continue;
      }
    }
    result += uri[i];
  }
  return result;
}

}  // namespace thaw
