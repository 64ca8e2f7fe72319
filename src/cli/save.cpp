#include "cli/save.hpp"

#include <thaw/sources.hpp>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/text.hpp"
#include "cli/time_limit.hpp"

#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

namespace {

Result<void> put(const fs::path& path, ByteView bytes, bool overwrite) {
  auto done = write_file(path, bytes, overwrite);
  if (!done) {
    done.error().message = concat({to_utf8(path.string()), ": ", done.error().message});
  }
  return done;
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
  stop_when_late();
  if (interrupted()) {
    return fail(codes::kWriteFailed, "interrupted");
  }
  const fs::path folder = path.parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    fs::create_directories(folder, error);
    if (error) {
      return fail(codes::kWriteFailed, concat({to_utf8(folder.string()), ": ", error.message()}));
    }
  }
  return {};
}

}  // namespace

bool is_device(const fs::path& path) {
  std::error_code error;
  return fs::is_other(path, error);
}

std::string objection_to_overwriting(const Settings& settings) {
  return settings.force && settings.skip_existing ? "-f and --skip-existing contradict each other" : "";
}

Result<void> save_file(const fs::path& path, ByteView bytes, bool overwrite) {
  auto ready = prepare(path);
  return ready ? put(path, bytes, overwrite) : ready;
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
          concat({"the output has ", counted(product.files.size() - 1, "file"),
                  " beside it and cannot go to stdout"})};
}

Result<std::vector<Saved>> save_product(const fs::path& output, const Product& product,
                                        const Settings& settings) {
  if (auto ready = prepare(output); !ready) {
    return tl::unexpected<Error>(std::move(ready.error()));
  }
  const auto paths = paths_of(output, product);
  const auto is_kept = [&](std::size_t i) {
    return i > 0 && !settings.force && holds(paths[i], product.files[i].bytes);
  };
  std::error_code error;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto status = fs::symlink_status(paths[i], error);
    const bool there = fs::is_regular_file(status) || fs::is_symlink(status);
    if (fs::is_directory(fs::status(paths[i], error))) {
      return fail(codes::kWriteFailed, concat({to_utf8(paths[i].string()), ": is a folder"}));
    }
    if (there && !settings.force && !is_device(paths[i]) && !is_kept(i)) {
      return fail(codes::kWriteExists, concat({to_utf8(paths[i].string()), " exists"}));
    }
  }
  std::vector<Saved> saved;
  for (std::size_t i = paths.size(); i-- > 0;) {
    const Bytes& bytes = product.files[i].bytes;
    auto done = is_kept(i) ? Result<void>() : put(paths[i], bytes, settings.force);
    if (!done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    saved.push_back({paths[i], bytes.size()});
  }
  std::reverse(saved.begin(), saved.end());
  return saved;
}

}  // namespace thaw::cli
