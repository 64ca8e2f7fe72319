#include "gltf/uri.hpp"

#include "bytes/ascii.hpp"
#include "bytes/base64.hpp"

#include <algorithm>

namespace thaw::gltf {

std::optional<Bytes> from_data_uri(std::string_view uri) {
  constexpr std::string_view kMark = ";base64,";
  const auto mark = uri.find(kMark);
  if (uri.substr(0, 5) != "data:" || mark == std::string_view::npos) {
    return std::nullopt;
  }
  return decode_base64(uri.substr(mark + kMark.size()));
}

std::string percent_encoded(std::string_view name) {
  constexpr std::string_view kPlain = "-._~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : name) {
    const char l = ascii::lower(c);
    const auto byte = static_cast<unsigned char>(c);
    if ((l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
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

}  // namespace thaw::gltf
