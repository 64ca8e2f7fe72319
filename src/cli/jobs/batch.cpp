#include "cli/jobs/batch.hpp"

#include <thaw/limit_codes.hpp>

#include "cli/jobs/progress.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/bug.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

namespace thaw::cli {
namespace {

/// Who reads JSON is told of the input as of any that failed, people how to report it.
Outcome bug(const Input& input, const BatchWork& work, std::size_t index, const std::string& what) {
  Outcome outcome = work.give_up(index, Error{codes::kBug, {}, {}, what});
  outcome.exit = kBug;
  outcome.err = bug_message(input.name, what);
  return outcome;
}

Outcome guarded(const Settings& settings, const Input& input, const BatchWork& work, std::size_t index) {
  try {
    const JobControl job(input.name, settings.timeout);
    Outcome outcome = work.work(index);
    stop_when_asked();  // what was stopped may have something to tell, which is not all
    return outcome;
  } catch (const Stopped& stopped) {
    if (stopped.late()) {
      return work.give_up(index, Error{codes::kOutOfTime, {}, {}, ""});
    }
    Outcome outcome;  // nobody is told of it
    outcome.exit = kInterrupted;
    return outcome;
  } catch (const std::bad_alloc&) {
    return work.give_up(index, Error{codes::kOutOfMemory, {}, {}, ""});
  } catch (const std::exception& error) {
    return bug(input, work, index, error.what());
  } catch (...) {
    return bug(input, work, index, "unknown exception");
  }
}

class Batch {
 public:
  Batch(const Settings& settings, std::span<const Input> inputs, const BatchWork& work)
      : settings_(settings), inputs_(inputs), work_(work), outcomes_(inputs.size()) {}

  Batch(const Batch&) = delete;
  Batch(Batch&&) = delete;
  Batch& operator=(const Batch&) = delete;
  Batch& operator=(Batch&&) = delete;
  ~Batch() { finish(); }

  Tally run() {
    start();
    report();
    finish();
    return tally_;
  }

 private:
  void start() {
    constexpr std::uint64_t kMostThreads = 256;
    const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::uint64_t jobs = std::clamp<std::uint64_t>(settings_.jobs.value_or(cores), 1, kMostThreads);
    try {
      while (threads_.size() < std::min<std::uint64_t>(jobs, inputs_.size())) {
        threads_.emplace_back([this] { drain(); });
      }
    } catch (const std::exception&) {
      // Fewer threads than asked for do as well; without any, this one works.
      if (threads_.empty()) {
        drain();
      }
    }
  }

  void finish() {
    stop_ = true;
    for (auto& thread : threads_) {
      thread.join();
    }
    threads_.clear();
  }

  void drain() {
    ++working_;
    while (!stop_ && !interrupted()) {
      const std::size_t index = next_++;
      if (index >= inputs_.size()) {
        break;
      }
      Outcome outcome = outcome_of(index);
      if (settings_.fail_fast && outcome.exit > kDifferent) {
        stop_ = true;  // all inputs before this one have been begun
      }
      const std::lock_guard lock(mutex_);
      outcomes_[index] = std::move(outcome);
      ready_.notify_one();
    }
    --working_;
  }

  /// Where there is no memory even to tell of it, an outcome without a word, which takes none.
  Outcome outcome_of(std::size_t index) const {
    Outcome outcome;
    outcome.elsewhere = inputs_[index].elsewhere;
    try {
      if (!outcome.elsewhere) {
        outcome = guarded(settings_, inputs_[index], work_, index);
      }
    } catch (const std::bad_alloc&) {
      outcome = Outcome();
      outcome.exit = kRefused;
      outcome.unreported = true;
    }
    return outcome;
  }

  /// What such an outcome should have said: at the latest when no thread holds any memory any more.
  Outcome reported_late(std::size_t index) const {
    constexpr std::chrono::milliseconds kPause(10);
    while (true) {
      const bool alone = working_ == 0;
      try {
        return work_.give_up(index, Error{codes::kOutOfMemory, {}, {}, ""});
      } catch (const std::bad_alloc&) {
        if (alone) {
          throw;
        }
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  void report() {
    constexpr std::chrono::milliseconds kTick(100);
    tell_files(0, inputs_.size());
    for (std::size_t index = 0; index < inputs_.size(); ++index) {
      std::unique_lock lock(mutex_);
      while (!ready_.wait_for(lock, kTick, [&] { return outcomes_[index].has_value() || interrupted(); })) {
      }
      if (!outcomes_[index]) {
        return;  // interrupted
      }
      Outcome outcome = std::move(*outcomes_[index]);
      outcomes_[index].reset();
      lock.unlock();
      if (interrupted() && outcome.exit > kDifferent) {
        return;  // the interruption may be all that it failed of
      }
      if (outcome.unreported) {
        outcome = reported_late(index);
      }
      if (!outcome.out.empty() || !outcome.err.empty()) {
        write_stdout(outcome.out.empty() || !said_ ? "" : work_.between);
        said_ = said_ || !outcome.out.empty();
        write_stdout(outcome.out);
        write_stderr(without_known_hint(outcome.err));
      }
      tell_files(index + 1, inputs_.size());
      count(outcome);
      if (settings_.fail_fast && outcome.exit > kDifferent) {
        return;
      }
    }
    tally_.complete = true;
  }

  /// A hint at the end of a message helps once in a batch.
  std::string without_known_hint(const std::string& text) {
    constexpr std::string_view kHint = "\n  hint: ";
    const std::size_t at = text.rfind(kHint);
    const bool last = at != std::string::npos && text.find('\n', at + 1) + 1 == text.size();
    return last && !hints_.insert(text.substr(at)).second ? text.substr(0, at + 1) : text;
  }

  void count(const Outcome& outcome) {
    if (outcome.elsewhere) {
      return;
    }
    if (outcome.skipped) {
      ++tally_.skipped;
      ++tally_.skipped_formats[std::string(outcome.format.id())];
      return;
    }
    if (outcome.exit > kDifferent) {
      ++tally_.failed;
    } else {
      ++tally_.ok;
      tally_.warned += outcome.warned ? 1 : 0;
      tally_.differing += outcome.exit == kDifferent ? 1 : 0;
      tally_.damaged += outcome.damaged ? 1 : 0;
    }
    if (is_batch(settings_) && outcome.exit > kDifferent) {
      tally_.exit = kPartly;
    } else {
      tally_.exit = std::max(tally_.exit, outcome.exit);
    }
  }

  const Settings& settings_;
  std::span<const Input> inputs_;
  const BatchWork& work_;
  std::vector<std::optional<Outcome>> outcomes_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> working_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
  Tally tally_;
  bool said_ = false;            ///< something, on stdout
  std::set<std::string> hints_;  ///< that were given
  std::vector<std::thread> threads_;
};

}  // namespace

Tally run_batch(const Settings& settings, std::span<const Input> inputs, const BatchWork& work) {
  Tally tally = Batch(settings, inputs, work).run();
  if (!flush_stdout()) {
    tally.exit = kUnwritable;  // which is told at the end
  }
  if (interrupted()) {
    tally.exit = kInterrupted;
  }
  return tally;
}

std::string tally_text(const Tally& tally) {
  std::string text = std::to_string(tally.ok) + " ok, " + std::to_string(tally.warned) +
                     " of them with warnings, " + std::to_string(tally.failed) + " failed";
  if (tally.skipped > 0) {
    text += ", " + std::to_string(tally.skipped) + " skipped (";
    std::string_view separator;
    for (const auto& [format, count] : tally.skipped_formats) {
      text += separator;
      text += format + ' ' + std::to_string(count);
      separator = ", ";
    }
    text += ')';
  }
  return text;
}

void add_tally(Value& value, const Tally& tally) {
  value.set("files", count_value(tally.ok + tally.failed));
  value.set("succeeded", count_value(tally.ok));
  value.set("warned", count_value(tally.warned));
  value.set("failed", count_value(tally.failed));
  value.set("skipped", count_value(tally.skipped));
  Value formats = Value::Object();
  for (const auto& [format, count] : tally.skipped_formats) {
    formats.set(format, count_value(count));
  }
  value.set("skipped_formats", std::move(formats));
}

}  // namespace thaw::cli
