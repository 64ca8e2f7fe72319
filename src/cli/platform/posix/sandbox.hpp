// Restrictions that the kernel puts on a process, for good.
#pragma once

#include "cli/platform/isolation.hpp"

#include <span>
#include <string>

namespace thaw::cli {

/// "seccomp, Landlock 7"; empty where the system has no seccomp.
std::string sandbox_support();

/// From here on this process and its children read what is `readable`, where the kernel has
/// Landlock, and write to what is open. They get no sockets, no other programs, no rights, and no memory that
/// can be executed. With `serves` they accept connections to a socket that listens already, and answer them.
/// An error in words, or empty.
std::string enter_sandbox(std::span<const Readable> readable, bool serves);

/// In addition no processes, and no signals to others.
std::string forbid_processes();

}  // namespace thaw::cli
