// Names of files in archives, one to a line: what `extract` writes lies in its folder, under names that no
// program obeys and no system takes for something else.
#include "bytes/text.hpp"
#include "cli/inputs/archives.hpp"
#include "command.hpp"
#include "require.hpp"

#include <algorithm>
#include <string>

namespace fs = std::filesystem;
using namespace thaw;

namespace {

void part_is_safe(const std::string& part) {
  const std::string plain = ascii::lowered(part);
  fuzz::require(!part.empty() && part.size() <= 255, "a part of a path that systems do not take\n");
  fuzz::require(part.front() != '.' && part.back() != '.' && part.back() != ' ',
                "a part that systems change\n");
  fuzz::require(part.find_first_of("<>:\"|?*\\") == std::string::npos, "a part that Windows does not take\n");
  fuzz::require(!fuzz::steers(part), "a part that steers the terminal\n");
  fuzz::require(plain != "thaw.toml" && plain != "desktop.ini" && plain != "autorun.inf" && plain != "git~1",
                "a part that programs obey\n");
  fuzz::require(!plain.ends_with(".lnk") && !plain.ends_with(".url") && !plain.ends_with(".desktop"),
                "a part that file managers follow\n");
  const std::string stem = plain.substr(0, plain.find('.'));
  fuzz::require(stem != "con" && stem != "nul" && stem != "aux" && stem != "prn" && stem != "com1",
                "a part that is a device\n");
}

void path_is_safe(const std::string& name) {
  const fs::path path = cli::safe_path(name);
  fuzz::require(path.is_relative() && !path.empty(), "a path that leads elsewhere\n");
  for (const fs::path& part : path) {
    part_is_safe(part.string());
  }
  const bool long_parts =
      std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part.native().size() > 200; });
  fuzz::require(long_parts || cli::safe_path(path.string()) == path,
                "a safe path that is made safe once more\n");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    path_is_safe(text.substr(at, end - at));
    at = end + 1;
  }
  return 0;
}
