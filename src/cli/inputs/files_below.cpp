#include "cli/inputs/files_below.hpp"

#include <thaw/sources.hpp>

#include "cli/report/text.hpp"
#include "sources/listing.hpp"

#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

Result<std::vector<FileBelow>> files_below(const fs::path& folder, const fs::path& except) {
  std::vector<FileBelow> files;
  std::vector<fs::path> folders{folder};
  while (!folders.empty()) {
    const fs::path next = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (const auto& entry : entries_of(next, error)) {
      std::error_code unknown;
      if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) {
        folders.push_back(entry.path());
      } else if (entry.is_regular_file(unknown) && !fs::equivalent(entry.path(), except, unknown)) {
        const std::uint64_t size = entry.file_size(unknown);
        files.push_back({entry.path().lexically_relative(folder).generic_string(), entry.path(), size});
      }
    }
    if (error) {
      return fail(codes::kInputUnreadable, concat({to_utf8(next.string()), ": ", error.message()}));
    }
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
