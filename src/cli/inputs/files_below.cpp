#include "cli/inputs/files_below.hpp"

#include <thaw/sources.hpp>

#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

Result<std::vector<FileBelow>> files_below(const fs::path& folder, const fs::path& except) {
  std::vector<FileBelow> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    std::error_code unknown;
    if (at->is_regular_file(unknown) && !fs::equivalent(at->path(), except, unknown)) {
      const std::uint64_t size = fs::file_size(at->path(), unknown);
      files.push_back({at->path().lexically_relative(folder).generic_string(), at->path(), size});
    }
    at.increment(error);
  }
  if (error) {
    return fail(codes::kInputUnreadable, concat({to_utf8(folder.string()), ": ", error.message()}));
  }
  std::sort(files.begin(), files.end(),
            [](const FileBelow& a, const FileBelow& b) { return a.name < b.name; });
  return files;
}

Result<Bytes> read_named(const fs::path& path, const Limits& limits) {
  auto bytes = read_file(path, limits);
  if (!bytes) {
    bytes.error().message = concat({to_utf8(path.string()), ": ", bytes.error().message});
  }
  return bytes;
}

}  // namespace thaw::cli
