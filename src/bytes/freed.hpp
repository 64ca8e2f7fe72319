// Memory that goes back to the system while a run goes on.
#pragma once

#include <cstddef>

namespace thaw {

/// Counts what its owner frees. An allocator keeps it for later; after each 64 MiB this has it given back,
/// where the system's allocator can do so.
class Freed {
 public:
  void add(std::size_t bytes);

 private:
  std::size_t bytes_ = 0;
};

}  // namespace thaw
