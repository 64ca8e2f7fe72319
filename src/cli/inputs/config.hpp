// Settings that stay: thaw.toml and the environment.
#pragma once

#include "cli/arguments/settings.hpp"

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace thaw::cli {

/// One value, and its origin.
struct ConfiguredValue {
  std::string key;     ///< "sources", "listfiles", "team-color", "jobs"
  std::string value;   ///< of a list, one element
  std::string origin;  ///< "THAW_JOBS", or a file and its line
};

/// A settings file that is there and was not read.
struct IgnoredFile {
  std::filesystem::path path;
  std::string why;  ///< with what to do
};

/// What files and the environment say, the weakest first.
struct Config {
  std::vector<ConfiguredValue> values;
  std::vector<IgnoredFile> ignored;
  std::vector<std::filesystem::path> read;    ///< files that were read
  std::vector<std::filesystem::path> absent;  ///< where one would have been read
};

/// The user's thaw.toml, then the one in `folder` or the nearest above, then THAW_*. THAW_CONFIG names the
/// only file that is read, and none if it is empty. Outside the configuration folder, a file counts only if
/// it belongs to the user and its folder is trusted; its paths may not leave that folder. The error is a
/// sentence: a file that does not read, a key that there is not, a value that cannot be.
tl::expected<Config, std::string> read_config(const std::filesystem::path& folder);

/// The folders whose thaw.toml the user has allowed, from `trusted` in the configuration folder.
std::vector<std::string> trusted_folders();
/// Adds a folder to that list, or removes it; returns it as it stands there. The error is a sentence.
tl::expected<std::string, std::string> set_trusted(const std::filesystem::path& folder, bool trusted);

/// Fills in what the command line does not say, for a command that has these options. Lists are put before
/// those of the command line, which win. Reports files that were not read on stderr. The error is a sentence.
tl::expected<void, std::string> apply_config(Settings& settings,
                                             const std::vector<std::string_view>& options);

}  // namespace thaw::cli
