#include "cli/platform/file_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace thaw::cli {

std::optional<FileIdentity> file_identity(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return FileIdentity{status.st_dev, status.st_ino};
}

bool is_owned_by_user(const std::filesystem::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid();
}

}  // namespace thaw::cli
