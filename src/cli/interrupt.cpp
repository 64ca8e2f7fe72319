#include "cli/interrupt.hpp"

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

}  // namespace

void catch_interrupts() {
  flag() = false;  // made here, not in the handler
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  // Without SA_RESTART, so that waiting for stdin ends too.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return flag(); }

}  // namespace thaw::cli
