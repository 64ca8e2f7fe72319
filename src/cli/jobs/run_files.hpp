// The files of one run: no output is an input, or another output.
#pragma once

#include "cli/inputs/inputs.hpp"
#include "cli/platform/file_identity.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace thaw::cli {

/// Safe to use from several threads.
class RunFiles {
 public:
  void add_input(const Input& input);
  /// Why a file cannot be written, if it is an input.
  [[nodiscard]] std::optional<Error> objection(const std::filesystem::path& path) const;
  /// The files of one output, all or none: the error is that another output has one of them.
  Result<void> take(const std::vector<std::filesystem::path>& paths, std::size_t owner);

 private:
  std::set<FileIdentity> inputs_;
  std::mutex mutex_;
  std::map<std::string, std::size_t> owners_;
};

}  // namespace thaw::cli
