#include "cli/jobs/progress.hpp"

#include <thaw/value.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace thaw::cli {
namespace {

using Seconds = std::chrono::duration<double>;

struct Files {
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> total = 0;
};

Files& files() {
  static Files all;
  return all;
}

/// The last bytes of a text in UTF-8, from the beginning of a character on.
std::string tail_of(const std::string& text, std::size_t width) {
  if (text.size() <= width) {
    return text;
  }
  std::size_t begin = text.size() - width;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) {
    ++begin;
  }
  return "…" + text.substr(begin);
}

/// How fast, and how long still; nothing while that cannot be known.
struct Pace {
  double per_second = 0;
  std::optional<double> seconds_left;
};

Pace pace_of(std::uint64_t done, std::uint64_t total, Seconds time) {
  Pace pace;
  if (done > 0 && time.count() > 0) {
    pace.per_second = static_cast<double>(done) / time.count();
    if (total >= done) {
      pace.seconds_left = static_cast<double>(total - done) / pace.per_second;
    }
  }
  return pace;
}

std::string amount(std::string_view stage, std::uint64_t count) {
  return stage == "bytes" ? human_size(count) : std::to_string(count);
}

/// "tiles 312 of 1000 · 140/s · 5 s left".
std::string text_of(std::string_view stage, std::uint64_t done, std::uint64_t total, Seconds time) {
  const Pace pace = pace_of(done, total, time);
  std::string text =
      concat({stage == "bytes" ? "" : stage, stage == "bytes" ? "" : " ", amount(stage, done)});
  text += total > 0 ? concat({" of ", amount(stage, total)}) : "";
  if (pace.per_second >= 1) {
    text += concat({" · ", amount(stage, static_cast<std::uint64_t>(pace.per_second)), "/s"});
  }
  if (total > 0 && pace.seconds_left) {
    text +=
        concat({" · ", std::to_string(static_cast<std::uint64_t>(std::ceil(*pace.seconds_left))), " s left"});
  }
  return text;
}

Value value_of(std::uint64_t done, std::uint64_t total, Seconds time) {
  const Pace pace = pace_of(done, total, time);
  Value value;
  value.set("done", count_value(done));
  value.set("total", total > 0 ? count_value(total) : Value());
  value.set("per_second", pace.per_second > 0 ? Value(pace.per_second) : Value());
  value.set("seconds_left", total > 0 && pace.seconds_left ? Value(*pace.seconds_left) : Value());
  return value;
}

}  // namespace

void report_files(std::size_t done, std::size_t total) {
  files().done = done;
  files().total = total;
}

RunProgress::RunProgress(const Settings& settings)
    : command_(settings.command),
      json_(settings.progress == "json"),
      enabled_(json_ || settings.progress == "always" ||
               (settings.progress == "auto" && !settings.quiet && stderr_is_terminal())) {
  report_files(0, 0);
  watch_ = std::make_unique<JobWatch>(
      enabled_ ? JobWatch::Tick([this](const std::vector<JobProgress>& jobs) { report(jobs); }) : nullptr);
}

RunProgress::~RunProgress() {
  watch_.reset();
  clear_status();
}

void RunProgress::report(std::vector<JobProgress> jobs) const {
  constexpr std::chrono::milliseconds kPatience(500);
  if (std::chrono::steady_clock::now() - start_ < kPatience) {
    return;
  }
  // The first is the run's own: where files are jobs, it has nothing to report besides.
  if (jobs.size() > 1) {
    jobs.erase(jobs.begin());
  }
  if (json_) {
    write_stderr(json(jobs));
  } else {
    show_status(line(jobs));
  }
}

std::string RunProgress::line(const std::vector<JobProgress>& jobs) const {
  constexpr std::size_t kWidth = 60;
  const std::size_t total = files().total;
  std::string text;
  if (total > 1) {
    const std::size_t done = files().done;
    text = text_of("files", done, total, std::chrono::steady_clock::now() - start_);
  }
  // The oldest is what the others wait for.
  const auto job =
      std::find_if(jobs.begin(), jobs.end(), [](const JobProgress& one) { return !one.name.empty(); });
  if (job != jobs.end()) {
    // The end of a path says more than its beginning.
    text += concat({text.empty() ? "" : " · ", tail_of(shown(job->name), kWidth)});
    if (!job->progress.stage.empty()) {
      text +=
          concat({" · ", text_of(job->progress.stage, job->progress.done, job->progress.total, job->time)});
    }
  }
  return text;
}

std::string RunProgress::json(const std::vector<JobProgress>& jobs) const {
  Value value;
  value.set("schema", concat({"thaw.", command_, ".progress/2"}));
  const Seconds time = std::chrono::steady_clock::now() - start_;
  value.set("seconds", time.count());
  value.set("files", files().total > 0 ? value_of(files().done, files().total, time) : Value());
  Value list = Value::List();
  for (const auto& job : jobs) {
    if (!job.name.empty()) {
      Value one;
      one.set("input", to_utf8(job.name));
      one.set("stage", job.progress.stage.empty() ? Value() : Value(job.progress.stage));
      const Value far = value_of(job.progress.done, job.progress.total, job.time);
      for (const char* name : {"done", "total", "per_second", "seconds_left"}) {
        one.set(name, *far.find(name));
      }
      list.push(std::move(one));
    }
  }
  value.set("jobs", std::move(list));
  return to_json(value) + '\n';
}

}  // namespace thaw::cli
