#include "cli/platform/terminal.hpp"

#include <unistd.h>

#include <cstdio>

namespace thaw::cli {

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

bool write_terminal(std::string_view text, bool to_stderr) {
  std::FILE* stream = to_stderr ? stderr : stdout;
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

}  // namespace thaw::cli
