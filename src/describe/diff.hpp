// Differences of two inspections, for who puts those of parts together.
#pragma once

#include <thaw/inspect.hpp>

#include <cstddef>
#include <vector>

namespace thaw {

struct Compared {
  std::vector<Difference> differences;
  /// How many at the end are of the right side alone, and stand there after everything that both have.
  std::size_t after = 0;
};

/// See diff (<thaw/inspect.hpp>).
Compared compare(const Inspection& left, const Inspection& right, std::size_t limit, const Control* control);

}  // namespace thaw
