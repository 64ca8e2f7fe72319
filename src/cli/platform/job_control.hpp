// Work of the command in hand: each job has a Control, which another thread stops when the run is
// interrupted or the job's time is over, and which receives the progress of the job.
#pragma once

#include <thaw/control.hpp>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace thaw::cli {

/// Thrown by the command's own steps when the job shall end.
class Stopped : public std::exception {
 public:
  explicit Stopped(bool late) : late_(late) {}
  [[nodiscard]] bool late() const { return late_; }  ///< its time is over; else the run is interrupted
  [[nodiscard]] const char* what() const noexcept override { return "stopped"; }

 private:
  bool late_;
};

/// How far a job is.
struct JobProgress {
  std::string name;
  Progress progress;                           ///< no stage: nothing has been heard
  std::chrono::steady_clock::duration time{};  ///< since the stage began
};

/// While it lives, it is what this thread works on, for so many seconds at most (up to 10⁹). Jobs of one
/// thread may nest: the inner one counts.
class JobControl {
 public:
  using Clock = std::chrono::steady_clock;

  JobControl(std::string name, std::optional<double> seconds, PictureBudget* budget = nullptr);
  ~JobControl();
  JobControl(const JobControl&) = delete;
  JobControl(JobControl&&) = delete;
  JobControl& operator=(const JobControl&) = delete;
  JobControl& operator=(JobControl&&) = delete;

  [[nodiscard]] const Control& control() const { return control_; }
  /// Looks at the clock and at interruptions, and stops the control if it is time.
  void look();
  /// Whether it was stopped and is not done.
  [[nodiscard]] bool ended() const { return control_.stopped() && !done_; }
  [[nodiscard]] bool late() const;
  /// What it made is there for good: nothing stops it any more.
  void finish() { done_ = true; }
  [[nodiscard]] JobProgress progress() const;
  [[nodiscard]] JobControl* outer() const { return outer_; }

 private:
  void hear(const Progress& progress);

  std::string name_;
  std::optional<Clock::time_point> end_;
  std::atomic<bool> done_ = false;
  mutable std::mutex mutex_;
  Progress progress_;
  Clock::time_point stage_began_;
  Control control_;
  JobControl* outer_;
};

/// The control of this thread's job, for the options of calls of the library; null if it has none.
const Control* current_control();
/// For steps of the command: throws Stopped if this thread's job shall end.
void stop_when_requested();
/// This thread's jobs are done, see JobControl::finish.
void finish_job();

/// While it lives, a thread looks after all jobs, and calls `tick` ten times a second with how far they are,
/// the longest at work first.
class JobWatch {
 public:
  using Tick = std::function<void(const std::vector<JobProgress>& jobs)>;

  explicit JobWatch(Tick tick);
  ~JobWatch();
  JobWatch(const JobWatch&) = delete;
  JobWatch(JobWatch&&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;
  JobWatch& operator=(JobWatch&&) = delete;

 private:
  void watch();

  Tick tick_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace thaw::cli
