// Progress and cancellation of long-running calls.
//
// A program passes a Control in the options of a call. The call reports its progress to it and asks it
// whether to go on. A stopped call ends soon, with the error limit.stopped if it has a result, and leaves
// nothing behind. The library reads no clock: a program that wants a timeout calls `stop` itself.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)

namespace thaw {

/// How far a call is. Stages follow each other as the work does, and a stage may come again: a scene of many
/// models decodes pictures of each.
struct Progress {
  std::string_view stage;   ///< for people, in the plural: "tiles", "pictures"
  std::uint64_t done = 0;   ///< of this stage
  std::uint64_t total = 0;  ///< 0 where that is not known
};

class PictureBudget;

/// What a program keeps while a call works. It may be handed to several calls, one after the other or at
/// once, and must outlive them. What was stopped stays so: the next call ends at once.
class Control {
 public:
  /// Receives the progress; must not throw, and should be quick. Called on the threads that work: for
  /// several calls at once by several threads at once.
  using Listener = std::function<void(const Progress& progress)>;

  Control() = default;
  /// The listener receives the progress; the budget (<thaw/control.hpp>) is
  /// shared by jobs that run side by side.
  explicit Control(Listener listener, PictureBudget* budget = nullptr)
      : listener_(std::move(listener)), budget_(budget) {}
  Control(const Control&) = delete;
  Control(Control&&) = delete;
  Control& operator=(const Control&) = delete;
  Control& operator=(Control&&) = delete;
  ~Control() {
    if (budget_ != nullptr) {
      give_back_pictures();
    }
  }

  /// Ends the work, as soon as it looks. From any thread, a listener or a signal handler.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  /// Whether it was stopped.
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  /// Says how far the work is; true if it shall go on. For whoever does the work.
  [[nodiscard]] bool proceed(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
    if (listener_ && !stopped()) {
      listener_({stage, done, total});
    }
    return !stopped();
  }
  /// Waits until this job may decode that many bytes of pixels more; ends early when it is stopped. For
  /// decoders, on the job's own thread.
  void take_pictures(std::uint64_t bytes) const;

 private:
  void give_back_pictures() noexcept;

  static_assert(std::atomic<bool>::is_always_lock_free, "set by signal handlers");

  std::atomic<bool> stopped_ = false;
  Listener listener_;
  PictureBudget* budget_ = nullptr;
  mutable std::uint64_t budget_bytes_ = 0;  ///< bytes of the budget, until the job ends
};

/// Whether there is somebody who has stopped the work.
inline bool is_stopped(const Control* control) noexcept { return control != nullptr && control->stopped(); }
/// As Control::proceed; without a control work always goes on.
[[nodiscard]] inline bool proceed(const Control* control, std::string_view stage, std::uint64_t done,
                                  std::uint64_t total) {
  return control == nullptr || control->proceed(stage, done, total);
}

// --- a limit on the decoded images of concurrent jobs

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

  void take(const Control& job, std::uint64_t& job_bytes, std::uint64_t more);
  void give_back(const Control& job, std::uint64_t job_bytes) noexcept;
  bool allows(const Control& job, std::uint64_t job_bytes, std::uint64_t more);

  std::uint64_t bytes_;
  std::function<void()> await_others_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t used_ = 0;
  std::uint64_t holders_ = 0;          ///< jobs that hold pictures
  std::uint64_t waiting_holders_ = 0;  ///< those of them that wait for more
  std::uint64_t waiting_large_ = 0;    ///< jobs that wait to go beyond the budget
  const Control* beyond_ = nullptr;    ///< the job that may exceed the budget
};

}  // namespace thaw

#pragma GCC visibility pop
