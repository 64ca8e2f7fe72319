#pragma once

#include <thaw/bytes.hpp>

#include <string_view>

namespace thaw::mdl {

inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace thaw::mdl
