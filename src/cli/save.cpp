#include "cli/save.hpp"

#include <thaw/sources.hpp>

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

std::string objection_to_overwriting(const Settings& settings) {
  return settings.force && settings.skip_existing ? "-f and --skip-existing contradict each other" : "";
}

Result<void> save_file(const fs::path& path, ByteView bytes, bool overwrite) {
  auto ready = prepare(path);
  return ready ? put(path, bytes, overwrite) : ready;
}

Result<std::vector<Saved>> save_product(const fs::path& output, const Product& product, bool overwrite) {
  if (auto ready = prepare(output); !ready) {
    return tl::unexpected<Error>(std::move(ready.error()));
  }
  std::vector<Saved> saved;
  for (auto file = product.files.rbegin(); file != product.files.rend(); ++file) {
    const bool main = file + 1 == product.files.rend();
    const fs::path path = main ? output : output.parent_path() / file->name;
    if (auto done = put(path, file->bytes, overwrite); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    saved.push_back({path, file->bytes.size()});
  }
  std::reverse(saved.begin(), saved.end());
  return saved;
}

}  // namespace thaw::cli
