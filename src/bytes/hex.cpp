#include "bytes/hex.hpp"

#include "bytes/ascii.hpp"

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

}  // namespace thaw
