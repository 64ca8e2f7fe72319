// Progress of a run on stderr: one line on a terminal, or lines of JSON.
#pragma once

#include "cli/arguments/settings.hpp"
#include "cli/platform/job_control.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace thaw::cli {

/// While it lives, a thread watches the jobs of the run and reports how far they are, as --progress says.
/// One for a run.
class RunProgress {
 public:
  explicit RunProgress(const Settings& settings);
  RunProgress(const RunProgress&) = delete;
  RunProgress(RunProgress&&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;
  RunProgress& operator=(RunProgress&&) = delete;
  ~RunProgress();

 private:
  void report(std::vector<JobProgress> jobs) const;
  [[nodiscard]] std::string line(const std::vector<JobProgress>& jobs) const;
  [[nodiscard]] std::string json(const std::vector<JobProgress>& jobs) const;

  std::string command_;
  bool json_;
  bool enabled_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<JobWatch> watch_;
};

/// Files of a run that are fully reported, for the line: the run has `total` of them.
void report_files(std::size_t done, std::size_t total);

}  // namespace thaw::cli
