#include "cli/platform/job_control.hpp"

#include "cli/platform/interrupt.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace thaw::cli {
namespace {

/// All jobs of the run, the oldest first.
struct Jobs {
  std::mutex mutex;
  std::vector<JobControl*> list;
};

Jobs& jobs() {
  static Jobs all;
  return all;
}

JobControl*& current() {
  thread_local JobControl* job = nullptr;
  return job;
}

}  // namespace

JobControl::JobControl(std::string name, std::optional<double> seconds, PictureBudget* budget)
    : name_(std::move(name)),
      stage_began_(Clock::now()),
      control_([this](const Progress& progress) { hear(progress); }, budget),
      outer_(current()) {
  if (seconds) {
    end_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  }
  const std::lock_guard lock(jobs().mutex);
  jobs().list.push_back(this);
  current() = this;
}

JobControl::~JobControl() {
  const std::lock_guard lock(jobs().mutex);
  auto& list = jobs().list;
  list.erase(std::remove(list.begin(), list.end(), this), list.end());
  current() = outer_;
}

bool JobControl::late() const { return end_ && Clock::now() >= *end_; }

void JobControl::look() {
  if (interrupted() || late()) {
    control_.stop();
  }
}

void JobControl::hear(const Progress& progress) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) {  // else another thread reports the same job
    if (progress.stage != progress_.stage || progress.done < progress_.done) {
      stage_began_ = Clock::now();
    }
    progress_ = progress;
  }
}

JobProgress JobControl::progress() const {
  const std::lock_guard lock(mutex_);
  return {name_, progress_, Clock::now() - stage_began_};
}

const Control* current_control() { return current() == nullptr ? nullptr : &current()->control(); }

void stop_when_requested() {
  if (JobControl* job = current()) {
    job->look();
    if (job->ended()) {
      throw Stopped(!interrupted());
    }
  } else if (interrupted()) {
    throw Stopped(false);
  }
}

void finish_job() {
  for (JobControl* job = current(); job != nullptr; job = job->outer()) {
    job->finish();
  }
}

namespace {

std::vector<JobProgress> progress_of_all() {
  const std::lock_guard lock(jobs().mutex);
  std::vector<JobProgress> progress;
  progress.reserve(jobs().list.size());
  for (const JobControl* job : jobs().list) {
    progress.push_back(job->progress());
  }
  return progress;
}

}  // namespace

JobWatch::JobWatch(Tick tick) : tick_(std::move(tick)) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): jobs then end at the command's steps
  }
}

JobWatch::~JobWatch() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void JobWatch::watch() {
  constexpr std::chrono::milliseconds kPause(20);
  constexpr int kPausesPerTick = 5;
  std::unique_lock lock(mutex_);
  for (int pause = 1; !ended_.wait_for(lock, kPause, [this] { return end_; }); ++pause) {
    {
      const std::lock_guard all(jobs().mutex);
      for (JobControl* job : jobs().list) {
        job->look();
      }
    }
    if (tick_ && pause % kPausesPerTick == 0) {
      try {
        tick_(progress_of_all());
      } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): then nothing is reported
      }
    }
  }
}

}  // namespace thaw::cli
