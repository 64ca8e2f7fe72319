#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace thaw::cli {

/// One string of many pieces.
inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    text += part;
  }
  return text;
}

}  // namespace thaw::cli
