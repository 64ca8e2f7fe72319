#include <thaw/codes.hpp>

namespace thaw::codes {

std::span<const Code> all() {
  static constexpr std::array kAll = {
#include "codes.inc"
  };
  return kAll;
}

}  // namespace thaw::codes
