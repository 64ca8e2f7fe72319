#include "cli/platform/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

namespace thaw::cli {

std::filesystem::path command_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

void open_browser(const std::string& url) {
  const pid_t child = fork();
  if (child == 0) {
    // A child of the child: nobody has to wait for the browser.
    if (fork() == 0) {
      setsid();  // Ctrl-C here does not end a browser that begins now
      execlp("xdg-open", "xdg-open", url.c_str(), nullptr);
      _exit(127);
    }
    _exit(0);
  }
  if (child > 0) {
    waitpid(child, nullptr, 0);
  }
}

}  // namespace thaw::cli
