#include "cli/platform/file_identity.hpp"

#include <windows.h>

namespace thaw::cli {

std::optional<FileIdentity> file_identity(const std::filesystem::path& path) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  // No right but that to ask, which is there while another program has the file.
  const HANDLE file = ::CreateFileW(path.c_str(), 0, kShared, nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return std::nullopt;
  }
  BY_HANDLE_FILE_INFORMATION known{};
  const bool regular = ::GetFileType(file) == FILE_TYPE_DISK &&
                       ::GetFileInformationByHandle(file, &known) != 0 &&
                       (known.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
  ::CloseHandle(file);
  if (!regular) {
    return std::nullopt;
  }
  return FileIdentity{known.dwVolumeSerialNumber,
                      (std::uint64_t{known.nFileIndexHigh} << 32U) | known.nFileIndexLow};
}

bool is_owned_by_user(const std::filesystem::path& /*path*/) { return true; }

}  // namespace thaw::cli
