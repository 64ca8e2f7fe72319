#include "cli/platform/interrupt.hpp"

#include <windows.h>

#include <atomic>

namespace thaw::cli {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the handler runs in a thread of the
// system's
std::atomic<bool> raised{false};

BOOL WINAPI on_event(DWORD event) {
  const bool again = raised.exchange(true);
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) {
    return again ? FALSE : TRUE;  // FALSE: the system ends the process
  }
  // The console is closed, or the user leaves: once this returns the process is gone.
  constexpr DWORD kGrace = 4000;
  ::Sleep(kGrace);
  return TRUE;
}

}  // namespace

void catch_interrupts() {
  raised = false;
  ::SetConsoleCtrlHandler(on_event, TRUE);
}

bool interrupted() { return raised; }

}  // namespace thaw::cli
