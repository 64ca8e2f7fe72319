#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace thaw::cli {

/// Which file it is, whatever names lead to it.
struct FileIdentity {
  std::uint64_t volume = 0;
  std::uint64_t index = 0;  ///< on its volume

  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

/// Links are followed; none for what is no regular file, or is not there.
std::optional<FileIdentity> file_identity(const std::filesystem::path& path);

/// Whether the file belongs to the user who runs this; links are not followed. True where the system has no
/// simple answer.
bool is_owned_by_user(const std::filesystem::path& path);

}  // namespace thaw::cli
