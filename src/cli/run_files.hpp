// The files of one run: no output is an input, or another output.
#pragma once

#include "cli/inputs.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thaw::cli {

/// Safe to use from several threads.
class RunFiles {
 public:
  /// `counts` says whether something is made of an input; that of one which was found and becomes nothing may
  /// be written over.
  RunFiles(std::span<const Input> inputs, std::function<bool(const Input&)> counts);

  /// Why a file cannot be written, if it is an input.
  [[nodiscard]] std::optional<Error> objection(const std::filesystem::path& path) const;
  /// Only the `owner` may take it, whoever comes first.
  void reserve(const std::filesystem::path& path, std::size_t owner);
  /// The files of one output, all or none: the error is an objection, or that another output has one of them.
  Result<void> take(const std::vector<std::filesystem::path>& paths, std::size_t owner = kNobody);

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  using Place = std::pair<std::uint64_t, std::uint64_t>;  ///< device and inode
  static std::optional<Place> place_of(const std::filesystem::path& path);

  std::map<Place, std::vector<Input>> inputs_;
  std::function<bool(const Input&)> counts_;
  std::mutex mutex_;
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> owners_;  ///< of what is reserved
};

}  // namespace thaw::cli
