#include "cli/jobs/save.hpp"

#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "cli/isolate/isolate.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace thaw::cli {

namespace fs = std::filesystem;

namespace {

Result<void> put(const fs::path& path, ByteView bytes, bool overwrite,
                 const std::optional<FileStamp>& expected) {
  auto done = write_file(path, bytes, overwrite, expected);
  if (!done) {
    done.error().message = concat({to_utf8(path.generic_string()), ": ", done.error().message});
  }
  return done;
}

/// Where this run has written.
struct Folders {
  std::mutex mutex;
  std::set<fs::path> all;
};

Folders& written_folders() {
  static Folders folders;
  return folders;
}

bool holds(const fs::path& path, ByteView bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) {
    return false;
  }
  Limits limits;
  limits.max_input_bytes = bytes.size();
  const auto there = read_file(path, limits);
  return there && std::equal(there->begin(), there->end(), bytes.begin(), bytes.end());
}

Result<void> prepare(const fs::path& path) {
  stop_when_requested();
  return make_folder_of(path);
}

}  // namespace

void report_abandoned(const Settings& settings) {
  for (const auto& folder : settings.quiet ? std::set<fs::path>() : written_folders().all) {
    for (const auto& file : abandoned_files(folder.empty() ? "." : folder)) {
      write_stderr(concat({"thaw: ", shown((folder / file.filename()).generic_string()),
                           " is left over from a killed run. It can be deleted.\n"}));
    }
  }
}

Result<void> make_folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  std::error_code error;
  {
    const std::lock_guard lock(written_folders().mutex);
    written_folders().all.insert(folder);
  }
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    fs::create_directories(folder, error);
    if (error) {
      return fail(codes::kWriteFailed, concat({to_utf8(folder.generic_string()), ": ", error.message()}));
    }
  }
  return {};
}

bool is_device(const fs::path& path) {
  std::error_code error;
  return fs::is_other(path, error);
}

Result<void> save_file(const fs::path& path, ByteView bytes, bool overwrite,
                       const std::optional<FileStamp>& expected) {
  if (is_isolated()) {
    stop_when_requested();
    return save_outside(path, bytes, overwrite, expected);
  }
  auto ready = prepare(path);
  return ready ? put(path, bytes, overwrite, expected) : ready;
}

std::vector<fs::path> paths_of(const fs::path& output, const Product& product) {
  std::vector<fs::path> paths;
  paths.reserve(product.files.size());
  for (const auto& file : product.files) {
    paths.push_back(paths.empty() ? output : output.parent_path() / file.name);
  }
  return paths;
}

Error not_for_stdout(const Product& product) {
  return {codes::kWriteUnsupported,
          {},
          {},
          concat({"the output consists of ", counted(product.files.size(), "file"),
                  " and cannot be written to stdout; name an output with -o"})};
}

Result<std::vector<Saved>> save_product(const std::vector<fs::path>& paths, const Product& product,
                                        bool overwrite, bool dry, std::vector<bool> stays,
                                        const std::optional<FileStamp>& expected) {
  stays.resize(paths.size());
  std::error_code error;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto status = fs::symlink_status(paths[i], error);
    const bool there = (fs::is_regular_file(status) || fs::is_symlink(status)) && !is_device(paths[i]);
    if (fs::is_directory(fs::status(paths[i], error))) {
      return fail(codes::kWriteFailed, concat({to_utf8(paths[i].generic_string()), " is a folder"}));
    }
    stays[i] = stays[i] || (there && !overwrite && i > 0 && holds(paths[i], product.files[i].bytes));
    if (there && !overwrite && !stays[i]) {
      return fail(codes::kWriteExists, concat({to_utf8(paths[i].generic_string()), " exists"}));
    }
  }
  std::vector<Saved> saved(paths.size());
  for (std::size_t i = 1; i < paths.size(); ++i) {
    saved[i].replaced = overwrite && !stays[i] && fs::is_regular_file(paths[i], error) &&
                        !holds(paths[i], product.files[i].bytes);
  }
  for (std::size_t i = paths.size(); i-- > 0;) {
    const Bytes& bytes = product.files[i].bytes;
    saved[i].path = paths[i];
    saved[i].size = bytes.size();
    if (stays[i] || dry) {
      continue;
    }
    const auto stamp = i == 0 ? expected : std::nullopt;
    if (auto done = save_file(paths[i], bytes, overwrite, stamp); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  finish_job();
  return saved;
}

}  // namespace thaw::cli
