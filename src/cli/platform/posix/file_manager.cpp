// As desktops of freedesktop.org have it: a file that names the thumbnailer, and one that distinguishes kinds
// of files. The package brings both for all users; here they are copied for one, from an installation
// anywhere.

#include "cli/platform/file_manager.hpp"

#include "cli/platform/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kThumbnailer = "thumbnailers/thaw.thumbnailer";
constexpr const char* kKinds = "mime/packages/thaw.xml";

/// Where programs of this user keep what other programs look at.
fs::path user_data() {
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing here changes the environment
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0') {
    return data;
  }
  const char* home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  return home == nullptr ? fs::path() : fs::path(home) / ".local" / "share";
}

/// What desktops know of kinds of files is compiled; false where there is nothing that does it.
bool compile_kinds(const fs::path& data) {
  const std::string folder = (data / "mime").string();
  const pid_t child = fork();
  if (child == 0) {
    execlp("update-mime-database", "update-mime-database", folder.c_str(), nullptr);
    _exit(127);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// `Exec=thaw …` with the place of this command, which need not be where others look for commands.
std::string with_place(std::string text, const std::string& command) {
  for (const std::string_view key : {"TryExec=", "\nExec="}) {
    const std::size_t at = text.find(key) + key.size();
    text.replace(at, std::string_view("thaw").size(), key == "TryExec=" ? command : '"' + command + '"');
  }
  return text;
}

tl::unexpected<Error> not_written(const fs::path& path, const std::string& why) {
  return fail(codes::kWriteFailed, path.string() + ": " + why);
}

}  // namespace

Result<std::vector<std::string>> register_thumbnailer() {
  const fs::path command = command_path();
  const fs::path shipped = command.parent_path().parent_path() / "share";
  const fs::path data = user_data();
  std::ifstream read(shipped / kThumbnailer, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(read), {}};
  std::error_code error;
  if (text.find("\nExec=thaw ") == std::string::npos || !fs::is_regular_file(shipped / kKinds, error)) {
    return fail(codes::kInputUnreadable,
                (shipped / kThumbnailer).string() + " is missing. Reinstall thaw's package.");
  }
  for (const char* name : {kThumbnailer, kKinds}) {
    fs::create_directories((data / name).parent_path(), error);
  }
  std::ofstream written(data / kThumbnailer, std::ios::binary | std::ios::trunc);
  written << with_place(text, command.string());
  if (written.close(); !written) {
    return not_written(data / kThumbnailer, "cannot be written");
  }
  if (fs::copy_file(shipped / kKinds, data / kKinds, fs::copy_options::overwrite_existing, error); error) {
    return not_written(data / kKinds, error.message());
  }
  std::vector<std::string> lines{(data / kThumbnailer).string(), (data / kKinds).string()};
  if (!compile_kinds(data)) {
    lines.emplace_back("update-mime-database did not run; file managers show the types after its next run");
  }
  return lines;
}

Result<std::vector<std::string>> unregister_thumbnailer() {
  const fs::path data = user_data();
  std::vector<std::string> lines;
  for (const char* name : {kThumbnailer, kKinds}) {
    std::error_code error;
    if (fs::remove(data / name, error)) {
      lines.push_back((data / name).string() + " removed");
    } else if (error) {
      return not_written(data / name, error.message());
    }
  }
  if (!lines.empty()) {
    compile_kinds(data);
  }
  return lines;
}

}  // namespace thaw::cli
