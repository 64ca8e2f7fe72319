#include "bytes/percent.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>

namespace thaw {

std::string percent_encoded(std::string_view name, std::string_view kept) {
  constexpr std::string_view kUnreserved = "-._~";
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : name) {
    const char l = ascii::lower(c);
    const auto byte = static_cast<unsigned char>(c);
    if ((l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || kUnreserved.find(c) != std::string_view::npos ||
        kept.find(c) != std::string_view::npos) {
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
