#include "cli/platform/terminal.hpp"

#include <unistd.h>

namespace thaw::cli {

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

}  // namespace thaw::cli
