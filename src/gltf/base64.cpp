#include "gltf/base64.hpp"

namespace thaw::gltf {
namespace {

/// 0 to 63, or 64 for what is no digit.
constexpr unsigned kNoDigit = 64;
unsigned base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') {
    return static_cast<unsigned>(c - 'A');
  }
  if (c >= 'a' && c <= 'z') {
    return static_cast<unsigned>(c - 'a') + 26;
  }
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0') + 52;
  }
  return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : kNoDigit;
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0');
  }
  const char low = static_cast<char>(c | 0x20);
  return low >= 'a' && low <= 'f' ? std::optional<unsigned>(static_cast<unsigned>(low - 'a') + 10)
                                  : std::nullopt;
}

}  // namespace

std::optional<Bytes> from_data_uri(std::string_view uri) {
  constexpr std::string_view kMark = ";base64,";
  const auto mark = uri.find(kMark);
  if (uri.substr(0, 5) != "data:" || mark == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view digits = uri.substr(mark + kMark.size());
  while (!digits.empty() && digits.back() == '=') {
    digits.remove_suffix(1);
  }
  Bytes result;
  result.reserve(digits.size() * 3 / 4);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : digits) {
    const unsigned digit = base64_digit(c);
    if (digit == kNoDigit) {
      return std::nullopt;
    }
    bits = bits << 6U | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      result.push_back(static_cast<std::uint8_t>(bits >> count & 0xFFU));
    }
  }
  return result;
}

std::string percent_decoded(std::string_view uri) {
  std::string result;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const auto high = hex_digit(uri[i + 1]);
      const auto low = hex_digit(uri[i + 2]);
      if (high && low) {
        result += static_cast<char>(*high << 4U | *low);
        i += 2;
        continue;
      }
    }
    result += uri[i];
  }
  return result;
}

}  // namespace thaw::gltf
