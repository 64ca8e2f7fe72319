// How much heap a piece of code takes. Linking this file replaces the global operator new.
#pragma once

#include <cstddef>

namespace thaw::test {

/// Starts counting at construction; counts what is allocated by operator new anywhere in the process.
class HeapMeter {
 public:
  HeapMeter();
  HeapMeter(const HeapMeter&) = delete;
  HeapMeter(HeapMeter&&) = delete;
  HeapMeter& operator=(const HeapMeter&) = delete;
  HeapMeter& operator=(HeapMeter&&) = delete;
  ~HeapMeter() = default;

  /// The most bytes that were in use at once since construction, above what was in use then.
  [[nodiscard]] std::size_t peak() const;
  /// Bytes in use now, above what was in use at construction.
  [[nodiscard]] std::size_t current() const;

 private:
  std::size_t base_;
};

/// While it lives, one allocation by operator new fails: that after so many others.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t after);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation(FailingAllocation&&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  FailingAllocation& operator=(FailingAllocation&&) = delete;
  ~FailingAllocation();
};

}  // namespace thaw::test
