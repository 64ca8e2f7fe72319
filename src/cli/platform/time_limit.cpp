#include "cli/platform/time_limit.hpp"

#include "cli/platform/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace thaw::cli {
namespace {

using Clock = std::chrono::steady_clock;

// An allocation knows nothing but its thread.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
thread_local bool limited = false;
thread_local Clock::time_point last_moment;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void stop_when_late() {
  if (limited && Clock::now() >= last_moment) {
    limited = false;
    throw OutOfTime();
  }
}

const char* OutOfTime::what() const noexcept { return "out of time"; }

TimeLimit::TimeLimit(std::optional<double> seconds) {
  if (seconds) {
    const std::chrono::duration<double> span(*seconds);
    last_moment = Clock::now() + std::chrono::duration_cast<Clock::duration>(span);
    limited = true;
  }
}

TimeLimit::~TimeLimit() { limited = false; }

std::function<bool()> time_check() {
  return [ends = limited, end = last_moment] { return interrupted() || (ends && Clock::now() >= end); };
}

}  // namespace thaw::cli

// ThreadSanitizer brings its own and takes no other; limits then act at the command's steps alone.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THAW_HAS_OTHER_NEW
#endif
#endif

#ifndef THAW_HAS_OTHER_NEW
// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is what new and delete are made of

namespace {

/// Longer than any path or message.
constexpr std::size_t kLargeAllocation = 16384;

void* allocate(std::size_t size) noexcept { return std::malloc(std::max<std::size_t>(size, 1)); }

}  // namespace

void* operator new(std::size_t size) {
  if (size >= kLargeAllocation) {
    thaw::cli::stop_when_late();
  }
  while (true) {
    if (void* place = allocate(size)) {
      return place;
    }
    if (const auto handler = std::get_new_handler()) {
      handler();
    } else {
      throw std::bad_alloc();
    }
  }
}

// The usual one calls the other and swallows what it throws.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return allocate(size); }

void operator delete(void* place, const std::nothrow_t& /*tag*/) noexcept { std::free(place); }
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t /*size*/) noexcept { std::free(place); }

// NOLINTEND(cppcoreguidelines-no-malloc)

#endif
