#include "cli/platform/posix/sandbox.hpp"

#if defined(__linux__) && \
    (defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64))
#define THAW_HAS_SANDBOX
#endif

#ifdef THAW_HAS_SANDBOX

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sched.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#endif

namespace thaw::cli {

#ifdef THAW_HAS_SANDBOX

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_RISCV64;
#endif

// --- system calls

/// What has to hold of an argument's lower half, which is all that the kernel looks at in those below.
enum class Test : std::uint8_t {
  any,
  none_of,  ///< of these bits
  one_of,   ///< of these bits
  equal,
  at_most,
  null,  ///< a pointer, of which both halves count
};

/// A system call that is allowed if its argument passes. Of several rules for one call, any is enough.
struct Rule {
  long call;
  Test test = Test::any;
  unsigned argument = 0;
  std::uint32_t value = 0;
};

constexpr std::uint32_t kWrites =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
constexpr std::uint32_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// All that reading, calculating and writing to open files takes. What is not here fails with EPERM.
constexpr std::array kAllowed = {
    // Open files and what can be known of others.
    Rule{SYS_read},
    Rule{SYS_readv},
    Rule{SYS_pread64},
    Rule{SYS_preadv},
    Rule{SYS_write},
    Rule{SYS_writev},
    Rule{SYS_close},
    Rule{SYS_lseek},
    Rule{SYS_fstat},
    Rule{SYS_statx},
    Rule{SYS_faccessat},
    Rule{SYS_faccessat2},
    Rule{SYS_readlinkat},
    Rule{SYS_getcwd},
    Rule{SYS_getdents64},
    Rule{SYS_fadvise64},
    Rule{SYS_dup},
    Rule{SYS_pipe2},
    Rule{SYS_ppoll},
    Rule{SYS_openat, Test::none_of, 2, kWrites},
    Rule{SYS_fcntl, Test::at_most, 1, F_SETFL},
    Rule{SYS_ioctl, Test::equal, 1, TCGETS},
    Rule{SYS_ioctl, Test::equal, 1, TIOCGWINSZ},
    Rule{SYS_ioctl, Test::equal, 1, FIONREAD},
#ifdef SYS_newfstatat
    Rule{SYS_newfstatat},
#endif
#ifdef __x86_64__
    Rule{SYS_open, Test::none_of, 1, kWrites},
    Rule{SYS_stat},
    Rule{SYS_lstat},
    Rule{SYS_access},
    Rule{SYS_readlink},
    Rule{SYS_poll},
    Rule{SYS_time},
#endif
    // Memory, none of which becomes a program.
    Rule{SYS_brk},
    Rule{SYS_munmap},
    Rule{SYS_mremap},
    Rule{SYS_madvise},
    Rule{SYS_mmap, Test::none_of, 2, PROT_EXEC},
    Rule{SYS_mprotect, Test::none_of, 2, PROT_EXEC},
    // Threads, signals to oneself, and the clock.
    Rule{SYS_futex},
    Rule{SYS_sched_yield},
    Rule{SYS_sched_getaffinity},
    Rule{SYS_set_robust_list},
    Rule{SYS_rseq},
    Rule{SYS_gettid},
    Rule{SYS_getpid},
    Rule{SYS_getppid},
    Rule{SYS_getuid},
    Rule{SYS_geteuid},
    Rule{SYS_getgid},
    Rule{SYS_getegid},
    Rule{SYS_rt_sigaction},
    Rule{SYS_rt_sigprocmask},
    Rule{SYS_rt_sigreturn},
    Rule{SYS_sigaltstack},
    Rule{SYS_restart_syscall},
    Rule{SYS_exit},
    Rule{SYS_exit_group},
    Rule{SYS_clock_gettime},
    Rule{SYS_clock_getres},
    Rule{SYS_clock_nanosleep},
    Rule{SYS_nanosleep},
    Rule{SYS_gettimeofday},
    Rule{SYS_getrandom},
    Rule{SYS_uname},
    Rule{SYS_sysinfo},
    Rule{SYS_getrusage},
    Rule{SYS_prlimit64, Test::null, 2},
    // Workers: `forbid_processes` takes these from them.
    Rule{SYS_clone, Test::none_of, 0, kNamespaces},
    Rule{SYS_wait4},
    Rule{SYS_kill, Test::equal, 1, SIGKILL},
    Rule{SYS_prctl, Test::equal, 0, PR_SET_PDEATHSIG},
    Rule{SYS_seccomp},
};

/// What a server does with connections that others begin.
constexpr std::array kServing = {Rule{SYS_accept}, Rule{SYS_accept4}, Rule{SYS_recvfrom},
                                 Rule{SYS_sendto, Test::null, 4}, Rule{SYS_shutdown}};

/// What workers have no use for; `clone` makes threads for them, and no processes.
constexpr std::array<long, 5> kOfParents = {SYS_clone, SYS_wait4, SYS_kill, SYS_prctl, SYS_seccomp};

using Program = std::vector<sock_filter>;

constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

void load(Program& program, std::size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}

void answer(Program& program, std::uint32_t action) { program.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

/// Goes on if the comparison comes out as requested, else passes over so many instructions.
void require(Program& program, unsigned comparison, std::uint32_t value, bool requested, std::size_t over) {
  const auto skip = static_cast<std::uint8_t>(over);
  const auto code = static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K);
  program.push_back(sock_filter{code, static_cast<std::uint8_t>(requested ? 0 : skip),
                                static_cast<std::uint8_t>(requested ? skip : 0), value});
}

constexpr std::size_t kNumber = offsetof(seccomp_data, nr);

constexpr std::size_t lower_half(unsigned argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);  // all of these are little-endian
}

/// Of another architecture the numbers mean other calls.
Program beginning() {
  Program program;
  load(program, offsetof(seccomp_data, arch));
  require(program, BPF_JEQ, kArchitecture, false, 1);
  answer(program, SECCOMP_RET_KILL_PROCESS);
  return program;
}

void add_test(Program& program, const Rule& rule) {
  load(program, lower_half(rule.argument));
  switch (rule.test) {
    case Test::none_of:
      return require(program, BPF_JSET, rule.value, false, 1);
    case Test::one_of:
      return require(program, BPF_JSET, rule.value, true, 1);
    case Test::at_most:
      return require(program, BPF_JGT, rule.value, false, 1);
    case Test::null:
      require(program, BPF_JEQ, 0, true, 3);
      load(program, lower_half(rule.argument) + sizeof(std::uint32_t));
      return require(program, BPF_JEQ, 0, true, 1);
    default:
      return require(program, BPF_JEQ, rule.value, true, 1);
  }
}

void add_rule(Program& program, const Rule& rule) {
  Program tested;
  if (rule.test != Test::any) {
    add_test(tested, rule);
  }
  answer(tested, SECCOMP_RET_ALLOW);
  load(program, kNumber);
  require(program, BPF_JEQ, static_cast<std::uint32_t>(rule.call), true, tested.size());
  program.insert(program.end(), tested.begin(), tested.end());
}

/// The C library does without it where it is not there; its flags lie in memory, where no filter sees them.
void refuse_clone3(Program& program) {
#ifdef SYS_clone3
  load(program, kNumber);
  require(program, BPF_JEQ, static_cast<std::uint32_t>(SYS_clone3), true, 1);
  answer(program, SECCOMP_RET_ERRNO | ENOSYS);
#else
  static_cast<void>(program);
#endif
}

std::string failure(const char* what) {
  return std::string(what) + ": " + std::generic_category().message(errno);
}

std::string install(Program program) {
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0
             ? std::string()
             : failure("seccomp");
}

// --- files

/// As in the kernel's header, of which older ones do not know all.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

/// Of the ruleset in bytes, and the rights that a version of Landlock knows.
Ruleset ruleset_of(long version, std::size_t& size) {
  constexpr std::array<unsigned, 5> kRights = {13, 14, 15, 15, 16};  // of files, by version
  Ruleset ruleset;
  const auto known = std::min<std::size_t>(static_cast<std::size_t>(version), kRights.size());
  ruleset.files = (std::uint64_t{1} << kRights.at(known - 1)) - 1;
  ruleset.network = version >= 4 ? 3 : 0;  // to bind and to connect
  ruleset.scopes = version >= 6 ? 3 : 0;   // abstract sockets and signals of others
  size = version >= 6   ? sizeof(Ruleset)
         : version >= 4 ? offsetof(Ruleset, scopes)
                        : offsetof(Ruleset, network);
  return ruleset;
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)

long landlock_version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

void allow_reading(int ruleset, const Readable& readable) {
  landlock_path_beneath_attr rule{};
  rule.parent_fd = ::open(readable.path.c_str(), O_PATH | O_CLOEXEC);
  struct stat status{};
  if (rule.parent_fd >= 0 && ::fstat(rule.parent_fd, &status) == 0) {
    const std::uint64_t names = S_ISDIR(status.st_mode) ? LANDLOCK_ACCESS_FS_READ_DIR : 0;
    rule.allowed_access = names | (readable.names_only ? 0 : LANDLOCK_ACCESS_FS_READ_FILE);
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(rule.parent_fd);
  }
}

std::string restrict_files(std::span<const Readable> readable) {
  const long version = landlock_version();
  if (version < 1) {
    return "";
  }
  std::size_t size = 0;
  const Ruleset rights = ruleset_of(version, size);
  const int ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rights, size, 0));
  if (ruleset < 0) {
    return failure("Landlock");
  }
  for (const auto& one : readable) {
    allow_reading(ruleset, one);
  }
  const bool done = ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  std::string why = done ? "" : failure("Landlock");
  ::close(ruleset);
  return why;
}

}  // namespace

std::string sandbox_support() {
  std::uint32_t action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0) {
    return "";
  }
  const long version = landlock_version();
  return version < 1 ? "seccomp, no Landlock" : "seccomp, Landlock " + std::to_string(version);
}

std::string enter_sandbox(std::span<const Readable> readable, bool serves) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return failure("prctl");
  }
  if (std::string why = restrict_files(readable); !why.empty()) {
    return why;
  }
  Program program = beginning();
  refuse_clone3(program);
  for (const Rule& rule : kAllowed) {
    add_rule(program, rule);
  }
  for (const Rule& rule : kServing) {
    if (serves) {
      add_rule(program, rule);
    }
  }
  answer(program, kRefused);
  return install(std::move(program));
}

// NOLINTEND(cppcoreguidelines-pro-type-vararg)

std::string forbid_processes() {
  Program program = beginning();
  add_rule(program, Rule{SYS_clone, Test::one_of, 0, CLONE_THREAD});
  for (const long call : kOfParents) {
    load(program, kNumber);
    require(program, BPF_JEQ, static_cast<std::uint32_t>(call), true, 1);
    answer(program, kRefused);
  }
  answer(program, SECCOMP_RET_ALLOW);
  return install(std::move(program));
}

#else

std::string sandbox_support() { return ""; }
std::string enter_sandbox(std::span<const Readable> /*readable*/, bool /*serves*/) { return "no seccomp"; }
std::string forbid_processes() { return "no seccomp"; }

#endif

}  // namespace thaw::cli
