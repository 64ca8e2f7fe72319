// Commands in the process of a fuzz target, in a folder of its own, with what they write caught.
#pragma once

#include <thaw/bytes.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace thaw::fuzz {

/// How a command ended.
struct Ran {
  int exit = 0;
  std::string out;  ///< what it wrote to stdout
  std::string err;  ///< the same of stderr
};

/// A folder that is there for the process, in memory where the system has such a one. Settings and temporary
/// files of commands lie in it, too.
const std::filesystem::path& workplace();
void put_file(const std::filesystem::path& path, ByteView content);
/// Runs a command, and requires an exit code that is documented and no fault of thaw itself.
Ran run(const std::vector<std::string>& words);
/// Every file below a folder, sorted.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);
/// Whether a text holds what would steer a terminal.
bool steers(std::string_view text);

}  // namespace thaw::fuzz
