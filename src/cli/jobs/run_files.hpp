// The files of one run: no output is an input, or another output.
#pragma once

#include "bytes/hash.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/product.hpp"
#include "cli/platform/file_identity.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thaw::cli {

/// Safe to use from several threads.
class RunFiles {
 public:
  void add_input(const Input& input);
  /// Why a file cannot be written, if it is an input.
  [[nodiscard]] std::optional<Error> problem(const std::filesystem::path& path) const;
  /// The files of one output, all or none: the error is that another output has one of them. One that lies
  /// next to the output may be shared if its bytes are the same, once they are made: true for what another
  /// output writes.
  Result<std::vector<bool>> take(const std::vector<std::filesystem::path>& paths, std::size_t owner,
                                 const Product* product = nullptr);

 private:
  struct Owner {
    std::size_t output = 0;
    std::optional<Md5> content;  ///< of what lies next to it
  };

  std::set<FileIdentity> inputs_;
  std::mutex mutex_;
  std::map<std::string, Owner> owners_;
};

}  // namespace thaw::cli
