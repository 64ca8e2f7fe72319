// Tries to get out of what --isolate runs files in, once for each kind of system call, and prints what came
// of it: "NAME refused", or "NAME ESCAPED". Arguments: a folder that may be read with a file `inside`, and a
// file that may not. With a third, how a worker ends (crash, hang, flood, or turn: in its turn), or `serve`:
// as a server, which may answer connections.
#include "bytes/text.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/socket.hpp"
#include "turns.hpp"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sched.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace thaw;
using namespace thaw::cli;

struct Attempt {
  const char* name;
  std::function<long()> call;  ///< negative: it was refused
};

std::vector<Attempt> attempts_on_files(const std::string& folder, const std::string& outside) {
  const std::string file = folder + "/inside";
  const std::string fresh = folder + "/fresh";
  const auto opened = [](const std::string& path, int flags) {
    return [=] { return static_cast<long>(::open(path.c_str(), flags, 0600)); };
  };
  return {
      {"open-outside", opened(outside, O_RDONLY)},
      {"open-own-memory", opened("/proc/self/mem", O_RDONLY)},
      {"open-environment", opened("/proc/self/environ", O_RDONLY)},
      {"open-write", opened(file, O_WRONLY)},
      {"open-read-write", opened(file, O_RDWR)},
      {"open-truncate", opened(file, O_RDONLY | O_TRUNC)},
      {"open-create", opened(fresh, O_RDONLY | O_CREAT)},
      {"open-temporary", opened(folder, O_RDWR | O_TMPFILE)},
      {"creat", [=] { return ::syscall(SYS_openat2, AT_FDCWD, fresh.c_str(), nullptr, 0); }},
      {"mkdir", [=] { return ::mkdir(fresh.c_str(), 0700); }},
      {"mkfifo", [=] { return ::mkfifo(fresh.c_str(), 0600); }},
      {"link", [=] { return ::link(file.c_str(), fresh.c_str()); }},
      {"symlink", [=] { return ::symlink("/etc", fresh.c_str()); }},
      {"rename", [=] { return ::rename(file.c_str(), fresh.c_str()); }},
      {"unlink", [=] { return ::unlink(file.c_str()); }},
      {"truncate", [=] { return ::truncate(file.c_str(), 0); }},
      {"chmod", [=] { return ::chmod(file.c_str(), 0777); }},
      {"chown", [=] { return ::chown(file.c_str(), 1, 1); }},
      {"utimes", [=] { return ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); }},
      {"chdir", [=] { return ::chdir("/"); }},
      {"chroot", [=] { return ::chroot(folder.c_str()); }},
      {"mount", [=] { return ::mount("none", folder.c_str(), "tmpfs", 0, nullptr); }},
      {"umount", [] { return ::umount2("/proc", MNT_DETACH); }},
      {"memfd", [] { return ::syscall(SYS_memfd_create, "m", 0); }},
      {"handle", [] { return ::syscall(SYS_open_by_handle_at, AT_FDCWD, nullptr, 0); }},
  };
}

std::vector<Attempt> attempts_on_others(pid_t parent) {
  const auto called = [](long number, long a = 0, long b = 0, long c = 0, long d = 0) {
    return [=] { return ::syscall(number, a, b, c, d); };
  };
  return {
      {"socket-internet", [] { return ::socket(AF_INET, SOCK_STREAM, 0); }},
      {"socket-unix", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"socket-netlink", [] { return ::socket(AF_NETLINK, SOCK_RAW, 0); }},
      {"connect", called(SYS_connect, 0)},
      {"bind", called(SYS_bind, 0)},
      {"sendmsg", called(SYS_sendmsg, 3)},
      {"exec",
       [] {
         std::array<char*, 1> none{};
         return ::execve("/bin/true", none.data(), none.data());
       }},
      {"execveat", called(SYS_execveat, AT_FDCWD, 0)},
      {"ptrace", [=] { return ::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr); }},
      {"process-memory",
       [=] {
         std::array<char, 8> buffer{};
         iovec local{buffer.data(), buffer.size()};
         return ::process_vm_readv(parent, &local, 1, &local, 1, 0);
       }},
      {"signal", [=] { return ::kill(parent, SIGUSR1); }},
      {"signal-thread", called(SYS_tgkill, parent, parent, SIGUSR1)},
      {"signal-queue", called(SYS_rt_sigqueueinfo, parent, SIGUSR1)},
      {"limit",
       [=] {
         const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
         return ::setrlimit(RLIMIT_DATA, &more);
       }},
      {"privileges", [] { return ::setuid(0); }},
      {"dumpable", [] { return ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }},
      {"new-namespaces", [] { return ::unshare(CLONE_NEWUSER); }},
      {"other-namespaces", [] { return ::setns(0, 0); }},
      {"clone-namespace", called(SYS_clone, CLONE_NEWUSER | SIGCHLD)},
      {"clone3", called(SYS_clone3, 0, 0)},
      {"memory-executable",
       [] {
         void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return page == MAP_FAILED ? -1L : 0L;
       }},
      {"memory-made-executable",
       [] {
         void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return static_cast<long>(::mprotect(page, 4096, PROT_READ | PROT_EXEC));
       }},
      {"terminal-input",
       [] {
         char letter = 'x';
         return ::ioctl(STDIN_FILENO, TIOCSTI, &letter);
       }},
      {"bpf", called(SYS_bpf)},
      {"performance", called(SYS_perf_event_open)},
      {"io-uring", called(SYS_io_uring_setup, 1)},
      {"user-fault", called(SYS_userfaultfd)},
      {"keys", called(SYS_keyctl, 0, -3)},
      {"modules", called(SYS_init_module)},
      {"reboot", called(SYS_reboot)},
      {"clock", called(SYS_clock_settime)},
      {"shared-memory", called(SYS_shmget, 0, 4096, 01600)},
      {"process-handle", [=] { return ::syscall(SYS_pidfd_open, parent, 0); }},
      {"watch-files", called(SYS_inotify_init1)},
      {"personality", called(SYS_personality, 0xFFFFFFFF)},
      {"another-architecture", called(0x40000000 + SYS_getpid)},
  };
}

/// What a worker may not do besides.
std::vector<Attempt> attempts_of_workers(pid_t parent) {
  return {
      {"fork",
       [] {
         const pid_t child = ::fork();
         if (child == 0) {
           ::_exit(0);
         }
         return static_cast<long>(child);
       }},
      {"kill", [=] { return ::kill(parent, SIGKILL); }},
      {"wait",
       [] { return ::syscall(SYS_wait4, -1, nullptr, WNOHANG, nullptr) < 0 && errno == EPERM ? -1L : 0L; }},
      {"filters", [] { return ::syscall(SYS_seccomp, 1, 0, nullptr) < 0 && errno == EPERM ? -1L : 0L; }},
  };
}

std::string outcome_of(const std::vector<Attempt>& attempts) {
  std::string text;
  for (const auto& attempt : attempts) {
    text += attempt.name;
    text += attempt.call() < 0 ? std::string(" refused: ") + std::to_string(errno) : " ESCAPED";
    text += '\n';
  }
  return text;
}

std::string outcome_in(const std::string& folder, const std::string& outside, pid_t parent) {
  const bool reads = ::open((folder + "/inside").c_str(), O_RDONLY) >= 0;
  return std::string(reads ? "reads its input\n" : "CANNOT READ its input\n") +
         outcome_of(attempts_on_files(folder, outside)) + outcome_of(attempts_on_others(parent));
}

int crash(const std::string& how) {
  // Only what hangs needs a limit; a busy machine may take a second for the others.
  const std::optional<double> limit = how == "hang" ? std::optional(3.0) : std::nullopt;
  Workers workers(2, limit, 1U << 20U, [&](std::size_t index) {
    if (how == "turn") {
      return work_in_turn(index == 1);
    }
    if (index == 1 && how == "crash") {
      volatile int* nowhere = nullptr;
      *nowhere = 1;
    }
    for (volatile bool hangs = index == 1 && how == "hang"; hangs;) {  // which compilers may not leave out
    }
    if (index == 1 && how == "flood") {
      return Bytes(2U << 20U);
    }
    return Bytes{static_cast<std::uint8_t>(index)};
  });
  std::size_t next = 0;
  std::vector<Bytes> results;
  while (next < 4 || workers.busy()) {
    while (next < 4 && workers.begin(next)) {
      ++next;
    }
    for (const auto& done : workers.wait(std::chrono::milliseconds(100))) {
      std::printf("%zu %s\n", done.index,
                  done.result     ? "done"
                  : done.end.late ? "late"
                                  : end_text(done.end).c_str());
      results.push_back(done.result.value_or(Bytes()));
    }
  }
  std::erase_if(results, [](const Bytes& bytes) { return bytes.empty(); });
  std::printf("%s", how == "turn" ? order_of(results) : "");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    return 2;
  }
  const pid_t parent = ::getpid();
  const std::array readable{Readable{words[0]}};
  const bool serves = words.size() > 2 && words[2] == "serve";
  const auto listener = serves ? Socket::listen_on(0) : std::nullopt;
  const auto ended = isolate(
      readable, std::nullopt, 1U << 20U,
      [](ByteView request) { return Bytes(request.begin(), request.end()); },
      listener ? &*listener : nullptr);
  if (!ended) {
    std::printf("%s\n", ended.error().message.c_str());
    return 3;
  }
  if (*ended) {
    std::printf("%s\n", (*ended)->signal == 0 ? "ended by itself" : end_text(**ended).c_str());
    return (*ended)->exit;
  }
  if (words.size() > 2 && !serves) {
    return crash(words[2]);
  }
  const Bytes echo = ask_parent(Bytes{1, 2, 3});
  std::printf("%s\n%s", echo.size() == 3 ? "the parent answers" : "NO ANSWER",
              outcome_in(words[0], words[1], parent).c_str());
  std::fflush(stdout);
  Workers workers(1, std::nullopt, 1U << 20U, [&](std::size_t /*index*/) {
    const std::string text =
        outcome_in(words[0], words[1], parent) + outcome_of(attempts_of_workers(parent)) +
        (ask_parent(Bytes{1}).empty() ? "the parent's ear refused\n" : "the parent's ear ESCAPED\n");
    const ByteView bytes = as_bytes(text);
    return Bytes(bytes.begin(), bytes.end());
  });
  workers.begin(0);
  while (workers.busy()) {
    for (const auto& done : workers.wait(std::chrono::seconds(1))) {
      std::printf("in a worker:\n%s", done.result
                                          ? std::string(done.result->begin(), done.result->end()).c_str()
                                          : end_text(done.end).c_str());
    }
  }
  return 0;
}
