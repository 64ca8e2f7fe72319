#include "cli/platform/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace thaw::cli {
namespace {

std::atomic<bool>& flag() {
  static std::atomic<bool> raised{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");
  return raised;
}

extern "C" void on_interrupt(int /*signal*/) { flag() = true; }

/// What a shell has a command of its background ignore stays ignored.
void catch_signal(int signal, const struct sigaction& action) {
  struct sigaction inherited{};
  if (sigaction(signal, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN) {
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void catch_interrupts() {
  flag() = false;  // made here, not in the handler
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  // Without SA_RESTART, so that waiting for stdin ends too.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  catch_signal(SIGINT, action);
  catch_signal(SIGTERM, action);
}

bool interrupted() { return flag(); }

}  // namespace thaw::cli
