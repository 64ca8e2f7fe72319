#include "cli/run_files.hpp"

#include "cli/distinct.hpp"
#include "cli/text.hpp"

#include <sys/stat.h>
#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

std::optional<RunFiles::Place> RunFiles::place_of(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return Place(status.st_dev, status.st_ino);
}

RunFiles::RunFiles(std::span<const Input> inputs, std::function<bool(const Input&)> counts)
    : counts_(std::move(counts)) {
  for (const auto& input : inputs) {
    const auto place = input.name == "-" ? std::nullopt : place_of(input.path);
    if (!place) {
      continue;
    }
    auto& here = inputs_[*place];
    // Of an archive one file is enough: it is an input, whatever is made of its files.
    if (here.empty() || input.member == nullptr) {
      here.push_back(input);
    }
  }
}

std::optional<Error> RunFiles::objection(const fs::path& path) const {
  const auto place = place_of(path);
  const auto found = place ? inputs_.find(*place) : inputs_.end();
  const auto counts = [&](const Input& input) {
    return !input.found || input.member != nullptr || counts_(input);
  };
  if (found == inputs_.end() || std::none_of(found->second.begin(), found->second.end(), counts)) {
    return std::nullopt;
  }
  return Error{codes::kWriteFailed, {}, {}, concat({to_utf8(path.string()), " is an input of this run"})};
}

void RunFiles::reserve(const fs::path& path, std::size_t owner) {
  const std::lock_guard lock(mutex_);
  owners_.emplace(file_key(path), owner);
}

Result<void> RunFiles::take(const std::vector<fs::path>& paths, std::size_t owner) {
  for (const auto& path : paths) {
    if (auto why = objection(path)) {
      return tl::unexpected<Error>(std::move(*why));
    }
  }
  std::set<std::string> keys;
  const std::lock_guard lock(mutex_);
  for (const auto& path : paths) {
    const std::string key = file_key(path);
    const auto reserved = owners_.find(key);
    const bool of_another = reserved != owners_.end() && reserved->second != owner;
    if (of_another || taken_.contains(key) || !keys.insert(key).second) {
      return fail(codes::kWriteFailed, concat({to_utf8(path.string()), " is another output of this run"}));
    }
  }
  taken_.merge(keys);
  return {};
}

}  // namespace thaw::cli
