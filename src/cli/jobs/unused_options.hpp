// Options that were given and that nothing in the run reads, or that change nothing.
#pragma once

#include <thaw/codes.hpp>

#include "cli/jobs/engine.hpp"

#include <map>
#include <mutex>
#include <set>
#include <string>

namespace thaw::cli {

/// Names the first option of the command line that some kind of job of the command reads, but none of this
/// run, and says who does; empty if there is none. A run without anything to make uses whatever it is given.
std::string unused_option(const Settings& settings, const Run& run);

/// Why an option that chooses inputs has nothing to choose from; empty if all have.
std::string check_choice(const Settings& settings);
/// Says that stdin is named more than once, as an input or as the list of inputs; empty if it is not.
std::string check_stdin(const Settings& settings);

/// Whether a finding says that an option has no effect, as "--seed: no input has an emitter" does. Other
/// findings of the code are about a value, and of one file.
inline bool names_option(const Diagnostic& finding) {
  return finding.code == codes::kOptionEffect && finding.message.starts_with("--");
}

/// That an option does nothing for one of many files is usual; only if it is so for all, it is reported. Any
/// thread may add.
class OptionEffects {
 public:
  /// What was found of a file that something was made of.
  void add(const Diagnostics& findings) {
    std::set<std::string> options;
    const std::lock_guard lock(mutex_);
    ++files_;
    for (const auto& finding : findings.items()) {
      if (names_option(finding) && options.insert(option_of(finding)).second) {
        ++without_[option_of(finding)];
      }
    }
  }

  /// In the order of the options' names.
  [[nodiscard]] Diagnostics of_all() const {
    Diagnostics findings;
    for (const auto& [option, files] : without_) {
      if (files == files_) {
        findings.add(codes::kOptionEffect,
                     option + ": no effect on " +
                         (files_ == 1 ? "the file" : "any of " + std::to_string(files_) + " files"));
      }
    }
    return findings;
  }

 private:
  /// "--replaceable 99" of "--replaceable 99: no texture of the model has this id"
  static std::string option_of(const Diagnostic& finding) {
    return finding.message.substr(0, finding.message.find(": "));
  }

  std::mutex mutex_;
  std::size_t files_ = 0;
  std::map<std::string, std::size_t> without_;  ///< files by option
};

}  // namespace thaw::cli
