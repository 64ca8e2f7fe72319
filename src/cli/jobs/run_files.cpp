#include "cli/jobs/run_files.hpp"

#include "cli/inputs/distinct.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

void RunFiles::add_input(const Input& input) {
  if (const auto place = input.name == "-" ? std::nullopt : file_identity(input.path)) {
    inputs_.insert(*place);
  }
}

std::optional<Error> RunFiles::objection(const fs::path& path) const {
  const auto place = file_identity(path);
  if (!place || !inputs_.contains(*place)) {
    return std::nullopt;
  }
  return Error{
      codes::kWriteFailed, {}, {}, concat({to_utf8(path.generic_string()), " is an input of this run"})};
}

Result<void> RunFiles::take(const std::vector<fs::path>& paths, std::size_t owner) {
  std::vector<std::string> keys;
  keys.reserve(paths.size());
  const std::lock_guard lock(mutex_);
  for (const auto& path : paths) {
    keys.push_back(file_key(path));
    const auto taken = owners_.find(keys.back());
    const bool twice = std::find(keys.begin(), keys.end() - 1, keys.back()) != keys.end() - 1;
    if ((taken != owners_.end() && taken->second != owner) || twice) {
      return fail(codes::kWriteFailed,
                  concat({to_utf8(path.generic_string()), " is another output of this run"}));
    }
  }
  for (auto& key : keys) {
    owners_.emplace(std::move(key), owner);
  }
  return {};
}

}  // namespace thaw::cli
