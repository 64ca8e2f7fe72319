#include "cli/platform/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <string>
#endif

namespace thaw::cli {

namespace {

#ifdef __APPLE__
constexpr const char* kOpener = "open";
#else
constexpr const char* kOpener = "xdg-open";
#endif

}  // namespace

std::filesystem::path command_path() {
  std::error_code error;
#ifdef __APPLE__
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  const bool told = ::_NSGetExecutablePath(name.data(), &size) == 0;
  return told ? std::filesystem::canonical(name.c_str(), error) : std::filesystem::path();
#else
  return std::filesystem::read_symlink("/proc/self/exe", error);
#endif
}

void open_browser(const std::string& url) {
  const pid_t child = fork();
  if (child == 0) {
    // A child of the child: nobody has to wait for the browser.
    if (fork() == 0) {
      setsid();  // Ctrl-C here does not end a browser that begins now
      execlp(kOpener, kOpener, url.c_str(), nullptr);
      _exit(127);
    }
    _exit(0);
  }
  if (child > 0) {
    waitpid(child, nullptr, 0);
  }
}

}  // namespace thaw::cli
