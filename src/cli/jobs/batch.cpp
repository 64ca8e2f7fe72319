#include "cli/jobs/batch.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "bytes/escape.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/isolate/isolate.hpp"
#include "cli/isolate/serialize.hpp"
#include "cli/jobs/progress.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/bug.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace thaw::cli {
namespace {

constexpr std::uint64_t kPixelBytes = 4;

/// Readers of JSON get the input as any that failed, people how to report it.
Outcome bug(const Input& input, const BatchJobs& work, std::size_t index, const std::string& what) {
  Outcome outcome = work.give_up(index, Error{codes::kBug, {}, {}, what});
  outcome.exit = kBug;
  outcome.err = bug_message(input.name, what);
  return outcome;
}

template <class Work>
Outcome guarded(const Settings& settings, const Input& input, const BatchJobs& batch, std::size_t index,
                PictureBudget& pictures, const Work& work) {
  try {
    const JobControl job(input.name, settings.timeout, &pictures);
    Outcome outcome = work();
    stop_when_requested();  // what was stopped may have something to report, which is not all
    return outcome;
  } catch (const Stopped& stopped) {
    if (stopped.late()) {
      return batch.give_up(index, Error{codes::kOutOfTime, {}, {}, ""});
    }
    Outcome outcome;  // it is not reported
    outcome.exit = kInterrupted;
    return outcome;
  } catch (const std::bad_alloc&) {
    return batch.give_up(index, Error{codes::kOutOfMemory, {}, {}, ""});
  } catch (const std::exception& error) {
    return bug(input, batch, index, error.what());
  } catch (...) {
    return bug(input, batch, index, "unknown exception");
  }
}

std::size_t count_of(const Settings& settings, std::size_t inputs) {
  constexpr std::uint64_t kMost = 256;
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t jobs = std::clamp<std::uint64_t>(settings.jobs.value_or(cores), 1, kMost);
  return std::min<std::uint64_t>(jobs, inputs);
}

/// What a worker says of a piece, and which it was.
struct WorkerReport {
  std::string input;
  Bytes bytes;
  std::optional<Error> failure;
  bool interrupted = false;
};

template <class A>
void carry(A& parcel, WorkerReport& report) {
  carry(parcel, report.input);
  carry(parcel, report.bytes);
  carry(parcel, report.failure);
  carry(parcel, report.interrupted);
}

WorkerReport failed_work(const Code& code, const std::string& message) {
  return {{}, {}, Error{code, {}, {}, message}, false};
}

WorkerReport work_apart(const Settings& settings, const Input& input, PictureBudget& pictures,
                        const std::function<Bytes()>& work) {
  static const JobWatch kWatch(nullptr);  // here threads may begin: nothing splits this process
  try {
    const JobControl job(input.name, settings.timeout, &pictures);
    WorkerReport report{{}, work(), std::nullopt, false};
    stop_when_requested();
    return report;
  } catch (const Stopped& stopped) {
    return stopped.late() ? failed_work(codes::kOutOfTime, "") : WorkerReport{{}, {}, std::nullopt, true};
  } catch (const std::bad_alloc&) {
    return failed_work(codes::kOutOfMemory, "");
  } catch (const std::exception& error) {
    return failed_work(codes::kBug, error.what());
  } catch (...) {
    return failed_work(codes::kBug, "unknown exception");
  }
}

WorkerReport report_of(Workers::Done done, const Input& input) {
  WorkerReport report;
  if (!done.result) {
    report.failure = error_of(done.end);
  } else if (done.result->empty()) {
    report.failure = Error{codes::kOutOfMemory, {}, {}, ""};
  } else if (!unpack(*done.result, report)) {
    report = failed_work(codes::kDied, "the reading process returned an invalid report");
  } else if (report.input != input.name) {  // where each process looks for itself which inputs there are
    report = failed_work(codes::kDied,
                         "files were added or removed while the inputs were listed. Run the command again.");
  }
  return report;
}

/// As much as one picture of the largest size takes.
std::uint64_t bytes_of_pictures(const Settings& settings) {
  return read_options(settings).limits.max_image_pixels * kPixelBytes;
}

/// The processes that work on a batch. Each has its share of what one process has for pictures; whose
/// pictures take more waits for its turn.
std::unique_ptr<Workers> workers_for(const Settings& settings, std::span<const Input> inputs,
                                     const std::function<Bytes(std::size_t index)>& work) {
  constexpr std::uint64_t kUsual = std::uint64_t{4} << 30U;
  constexpr std::uint64_t kAdjacent = std::uint64_t{64} << 20U;
  const std::size_t count = count_of(settings, inputs.size());
  auto pictures = std::make_shared<PictureBudget>(
      bytes_of_pictures(settings) / std::max<std::size_t>(count, 1), Workers::take_turn);
  return std::make_unique<Workers>(count, settings.timeout, settings.max_output.value_or(kUsual) + kAdjacent,
                                   [&settings, inputs, work, pictures](std::size_t index) {
                                     WorkerReport report;
                                     if (index < inputs.size()) {  // of those that this process has found
                                       report = work_apart(settings, inputs[index], *pictures,
                                                           [&] { return work(index); });
                                       report.input = inputs[index].name;
                                     }
                                     return packed(report);
                                   });
}

class Batch {
 public:
  Batch(const Settings& settings, std::span<const Input> inputs, const BatchJobs& work)
      : settings_(settings),
        inputs_(inputs),
        work_(work),
        outcomes_(inputs.size()),
        pictures_(bytes_of_pictures(settings)) {}

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
    if (is_isolated() && !work_.here) {
      workers_ = workers_for(settings_, inputs_, [this](std::size_t index) { return apart(index); });
      return;
    }
    try {
      while (threads_.size() < count_of(settings_, inputs_.size())) {
        threads_.emplace_back([this] { drain(); });
      }
    } catch (const std::exception&) {
      // Fewer threads than requested do as well; without any, this one works.
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

  /// Where there is no memory even to report it, an outcome without a word, which takes none.
  Outcome outcome_of(std::size_t index) {
    Outcome outcome;
    outcome.elsewhere = inputs_[index].elsewhere;
    try {
      if (!outcome.elsewhere) {
        outcome =
            guarded(settings_, inputs_[index], work_, index, pictures_, [&] { return work_.work(index); });
      }
    } catch (const std::bad_alloc&) {
      outcome = Outcome();
      outcome.exit = kRefused;
      outcome.unreported = true;
    }
    return outcome;
  }

  // --- with processes of their own

  /// In a worker.
  [[nodiscard]] Bytes apart(std::size_t index) const {
    if (work_.apart) {
      return work_.apart(index);
    }
    Outcome outcome = work_.work(index);
    return packed(outcome);
  }

  [[nodiscard]] Outcome join(std::size_t index, Bytes bytes) const {
    if (work_.join) {
      return work_.join(index, std::move(bytes));
    }
    Outcome outcome;
    return unpack(bytes, outcome)
               ? outcome
               : work_.give_up(index, Error{codes::kDied, {}, {}, "the reading process returned no result"});
  }

  Outcome outcome_after(std::size_t index, WorkerReport report) {
    const Input& input = inputs_[index];
    if (report.interrupted) {
      Outcome outcome;
      outcome.exit = kInterrupted;
      return outcome;
    }
    if (report.failure && report.failure->code == codes::kBug) {
      return bug(input, work_, index, report.failure->message);
    }
    return guarded(settings_, input, work_, index, pictures_, [&] {
      return report.failure ? work_.give_up(index, *report.failure) : join(index, std::move(report.bytes));
    });
  }

  void settle(std::size_t index, Outcome outcome) {
    if (settings_.fail_fast && outcome.exit > kDifferent) {
      stop_ = true;
    }
    outcomes_[index] = std::move(outcome);
  }

  /// Gives the workers what there is to do, and takes what they have done.
  void turn(std::chrono::milliseconds patience) {
    for (; next_ < inputs_.size() && !stop_; ++next_) {
      if (inputs_[next_].elsewhere) {
        settle(next_, outcome_of(next_));
      } else if (!workers_->begin(next_)) {
        break;
      }
    }
    if (!workers_->busy() && next_ < inputs_.size() && !stop_) {
      settle(next_,
             work_.give_up(next_,
                           Error{codes::kDied,
                                 {},
                                 {},
                                 "cannot start a process for this file; -j with fewer processes may help"}));
      ++next_;
    }
    for (Workers::Done& done : workers_->wait(patience)) {
      const std::size_t index = done.index;
      WorkerReport report = report_of(std::move(done), inputs_[index]);
      settle(index, outcome_after(index, std::move(report)));
    }
  }

  // --- report

  /// Waits a while for the outcome of an input.
  void await(std::size_t index) {
    constexpr std::chrono::milliseconds kTick(100);
    if (workers_) {
      turn(outcomes_[index] ? std::chrono::milliseconds(0) : kTick);
      return;
    }
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, kTick, [&] { return outcomes_[index].has_value() || interrupted(); });
  }

  /// None yet, or what came of it.
  std::optional<Outcome> take_outcome(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return std::exchange(outcomes_[index], std::nullopt);
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
    report_files(0, inputs_.size());
    for (std::size_t index = 0; index < inputs_.size(); ++index) {
      std::optional<Outcome> came;
      for (came = take_outcome(index); !came && !interrupted(); came = take_outcome(index)) {
        await(index);
      }
      if (!came) {
        return;  // interrupted
      }
      Outcome outcome = std::move(*came);
      if (interrupted() && outcome.exit > kDifferent) {
        return;  // the interruption may be all that it failed of
      }
      if (outcome.unreported) {
        outcome = reported_late(index);
      }
      if (!outcome.out.empty() || !outcome.err.empty()) {
        write_stdout(outcome.out.empty() || !wrote_ ? "" : work_.between);
        wrote_ = wrote_ || !outcome.out.empty();
        write_stdout(outcome.out);
        write_stderr(without_known_hint(outcome.err));
      }
      if (outcome.skipped && settings_.verbose) {
        write_stderr(concat({shown(inputs_[index].name), ": skipped (", outcome.format.id(), ")\n"}));
      }
      report_files(index + 1, inputs_.size());
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
  const BatchJobs& work_;
  std::vector<std::optional<Outcome>> outcomes_;
  PictureBudget pictures_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> working_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
  Tally tally_;
  bool wrote_ = false;           ///< something, on stdout
  std::set<std::string> hints_;  ///< that were given
  std::vector<std::thread> threads_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace

Tally run_batch(const Settings& settings, std::span<const Input> inputs, const BatchJobs& work) {
  Tally tally = Batch(settings, inputs, work).run();
  if (!flush_stdout()) {
    tally.exit = kUnwritable;  // which is reported at the end
  }
  if (interrupted()) {
    tally.exit = kInterrupted;
  }
  return tally;
}

std::vector<std::optional<Error>> rehearse(const Settings& settings, std::span<const Input> inputs,
                                           const std::function<void(std::size_t index)>& work) {
  std::vector<std::optional<Error>> failures(inputs.size());
  const auto workers = workers_for(settings, inputs, [&](std::size_t index) {
    work(index);
    return Bytes();
  });
  std::size_t next = 0;
  while ((next < inputs.size() || workers->busy()) && !interrupted()) {
    // What is read from stdin can be read once.
    while (next < inputs.size() && (inputs[next].name == "-" || workers->begin(next))) {
      ++next;
    }
    if (!workers->busy() && next < inputs.size()) {
      failures[next++] = Error{
          codes::kDied, {}, {}, "cannot start a process for this file; -j with fewer processes may help"};
    }
    for (const auto& done : workers->wait(std::chrono::milliseconds(100))) {
      failures[done.index] = report_of(done, inputs[done.index]).failure;
    }
  }
  return failures;
}

std::string tally_text(const Tally& tally) {
  std::string text = std::to_string(tally.ok) + " ok, " + std::to_string(tally.warned) + " with warnings, " +
                     std::to_string(tally.failed) + " failed";
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
