#include "cli/platform/process.hpp"

#include <thaw/control.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>

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
  const bool reported = ::_NSGetExecutablePath(name.data(), &size) == 0;
  return reported ? std::filesystem::canonical(name.c_str(), error) : std::filesystem::path();
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

std::filesystem::path find_program(const std::string& name) {
  const char* folders = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::filesystem::path folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.native().size() + 1));
    std::error_code error;
    const std::filesystem::path program = folder / name;
    if (folder.is_absolute() && std::filesystem::is_regular_file(program, error) &&
        access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

std::optional<int> run_program(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments, const Control* control) {
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // Between fork and exec only what POSIX allows a child of many threads.
    const int nothing = open("/dev/null", O_RDWR);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    execv(pointers.front(), pointers.data());
    _exit(127);
  }
  int status = 0;
  bool ended = false;
  pid_t done = 0;
  while (child > 0 && done == 0) {
    done = waitpid(child, &status, WNOHANG);
    if (done == 0 && is_stopped(control) && !ended) {
      kill(child, SIGKILL);
      ended = true;
    }
    if (done == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  const bool ran = child > 0 && done == child && WIFEXITED(status) && WEXITSTATUS(status) != 127;
  return ran ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace thaw::cli
