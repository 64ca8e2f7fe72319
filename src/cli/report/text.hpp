#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// One string of many pieces.
inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    text += part;
  }
  return text;
}

/// The parts between the separators, empty ones too; at least one.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

}  // namespace thaw::cli
