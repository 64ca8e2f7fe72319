#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>

#include <algorithm>

namespace thaw {

void Diagnostics::add(Diagnostic diagnostic) {
  if (has_room()) {
    items_.push_back(std::move(diagnostic));
  } else {
    ++suppressed_;
  }
}

std::size_t Diagnostics::count(Severity at_least) const {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [&](const Diagnostic& item) { return item.code.severity >= at_least; }));
}

}  // namespace thaw

namespace thaw::codes {

std::span<const Code> all() {
  static constexpr std::array kAll = {
#include "codes.inc"
  };
  return kAll;
}

}  // namespace thaw::codes
