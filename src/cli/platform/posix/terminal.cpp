#include "cli/platform/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace thaw::cli {

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

std::optional<std::size_t> terminal_width() {
  winsize size{};
  const bool known =
      stdout_is_terminal() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

bool write_terminal(std::string_view text, bool to_stderr) {
  std::FILE* stream = to_stderr ? stderr : stdout;
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

}  // namespace thaw::cli
