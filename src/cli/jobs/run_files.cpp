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

std::optional<Error> RunFiles::problem(const fs::path& path) const {
  const auto place = file_identity(path);
  if (!place || !inputs_.contains(*place)) {
    return std::nullopt;
  }
  return Error{codes::kWriteFailed,
               {},
               {},
               concat({to_utf8(path.generic_string()),
                       " is an input of this run and was not overwritten; name another output with -o"})};
}

Result<std::vector<bool>> RunFiles::take(const std::vector<fs::path>& paths, std::size_t owner,
                                         const Product* product) {
  std::vector<std::pair<std::string, Owner>> requested;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    requested.emplace_back(file_key(paths[i]), Owner{owner, {}});
    if (product != nullptr && i > 0 && i < product->files.size()) {
      requested.back().second.content = md5(product->files[i].bytes);
    }
  }
  std::vector<bool> shared(paths.size());
  std::set<std::string_view> claimed;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto& [key, file] = requested[i];
    const auto known = owners_.find(key);
    const bool by_another = known != owners_.end() && known->second.output != owner;
    shared[i] = by_another && file.content && known->second.content == file.content;
    if (!claimed.insert(key).second || (by_another && !shared[i])) {
      const std::string name = to_utf8(paths[i].generic_string());
      return fail(codes::kWriteFailed,
                  concat({name, " is another output of this run; name outputs that differ with -o"}));
    }
  }
  for (auto& [key, file] : requested) {
    if (const auto [place, fresh] = owners_.try_emplace(std::move(key), file);
        !fresh && !place->second.content) {
      place->second.content = file.content;
    }
  }
  return shared;
}

}  // namespace thaw::cli
