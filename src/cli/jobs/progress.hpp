// One line on stderr that says how far a batch is.
#pragma once

#include "cli/arguments/settings.hpp"

#include <chrono>
#include <string>

namespace thaw::cli {

class Progress {
 public:
  Progress(const Settings& settings, std::size_t total);
  Progress(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress& operator=(Progress&&) = delete;
  ~Progress() { clear(); }

  /// `done` files are told, `name` is waited for.
  void show(std::size_t done, const std::string& name);
  /// Takes the line away, so that other text can stand there.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  std::size_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace thaw::cli
