// Ends work that takes too long, wherever it is: its next large allocation throws. Whatever lives through the
// end of memory lives through this, too; nothing in the library has to ask for the time.
#pragma once

#include <functional>
#include <new>
#include <optional>

namespace thaw::cli {

/// A bad_alloc, since that is all that an allocation may throw.
class OutOfTime : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override;
};

/// While it lives, work of this thread has so many seconds (at most 10⁹); without a number, all the time in
/// the world. The first large allocation after them throws OutOfTime, those behind it do not: what unwinds
/// may allocate. Small ones never throw, because functions of the standard library that promise not to throw
/// make them. Limits do not nest.
class TimeLimit {
 public:
  explicit TimeLimit(std::optional<double> seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit(TimeLimit&&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  TimeLimit& operator=(TimeLimit&&) = delete;
};

/// Throws OutOfTime if the time of this thread has passed: for steps that may have allocated little.
void stop_when_late();

/// For work of other threads, or that allocates nothing: true once it shall end, because the run is
/// interrupted or the limit of this thread, as it is now, has passed.
std::function<bool()> time_check();

}  // namespace thaw::cli
