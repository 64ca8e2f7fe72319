// A bound on the decoded pictures of jobs that run side by side.
#pragma once

#include <thaw/control.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#pragma GCC visibility push(default)

namespace thaw {

/// Bounds the decoded pictures of several jobs at once, each of which has a Control of its own. A job that
/// would go beyond waits until others are done; a single one may always go on, to its own limits
/// (ReadOptions), once all others have ended or wait as well. So many small jobs run side by side and large
/// ones one after the other. It must outlive the controls that share it.
class PictureBudget {
 public:
  /// So many bytes of pixels, for all jobs together. A job that may go beyond calls `beyond` first, if there
  /// is one: it waits for other processes that share the memory.
  explicit PictureBudget(std::uint64_t bytes, std::function<void()> beyond = {})
      : bytes_(bytes), await_others_(std::move(beyond)) {}

 private:
  friend class Control;

  void take(const Control& job, std::uint64_t& held, std::uint64_t more);
  void give_back(const Control& job, std::uint64_t held) noexcept;
  bool allows(const Control& job, std::uint64_t held, std::uint64_t more);

  std::uint64_t bytes_;
  std::function<void()> await_others_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t held_ = 0;
  std::uint64_t holders_ = 0;          ///< jobs that hold pictures
  std::uint64_t waiting_holders_ = 0;  ///< those of them that wait for more
  std::uint64_t waiting_large_ = 0;    ///< jobs that wait to go beyond the budget
  const Control* beyond_ = nullptr;    ///< the job that may exceed the budget
};

}  // namespace thaw

#pragma GCC visibility pop
