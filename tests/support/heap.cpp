#include "support/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> peak_use{0};

/// Allocations until one fails; negative: none does.
std::atomic<std::int64_t> until_failure{-1};

void* allocate(std::size_t size, std::size_t alignment) {
  if (until_failure >= 0 && until_failure-- == 0) {
    throw std::bad_alloc();
  }
  void* place = alignment <= alignof(std::max_align_t)
                    ? std::malloc(std::max<std::size_t>(size, 1))
                    : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (place == nullptr) {
    throw std::bad_alloc();
  }
  const std::size_t now = in_use += malloc_usable_size(place);
  std::size_t seen = peak_use;
  while (now > seen && !peak_use.compare_exchange_weak(seen, now)) {
  }
  return place;
}

void release(void* place) noexcept {
  if (place != nullptr) {
    in_use -= malloc_usable_size(place);
    std::free(place);
  }
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// std::stable_sort takes its buffer with this one. It may fail by exception inside: a meter has no other way.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return allocate(size, 1);
  } catch (...) {
    return nullptr;
  }
}
void operator delete(void* place, const std::nothrow_t& /*tag*/) noexcept { release(place); }
void operator delete(void* place) noexcept { release(place); }
void operator delete[](void* place) noexcept { release(place); }
void operator delete(void* place, std::size_t /*size*/) noexcept { release(place); }
void operator delete[](void* place, std::size_t /*size*/) noexcept { release(place); }
void operator delete(void* place, std::align_val_t /*alignment*/) noexcept { release(place); }
void operator delete[](void* place, std::align_val_t /*alignment*/) noexcept { release(place); }
void operator delete(void* place, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  release(place);
}
void operator delete[](void* place, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  release(place);
}

namespace thaw::test {

HeapMeter::HeapMeter() : base_(in_use) { peak_use = in_use.load(); }
std::size_t HeapMeter::peak() const { return peak_use - base_; }
std::size_t HeapMeter::current() const { return in_use - base_; }

FailingAllocation::FailingAllocation(std::size_t after) { until_failure = static_cast<std::int64_t>(after); }
FailingAllocation::~FailingAllocation() { until_failure = -1; }

}  // namespace thaw::test
