#include "cli/platform/isolation.hpp"

#include <thaw/codes.hpp>

#include "cli/platform/interrupt.hpp"
#include "cli/platform/messages.hpp"
#include "cli/platform/posix/sandbox.hpp"
#include "cli/platform/socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

namespace thaw::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kMissing = -1;

/// To the parent; `kMissing` in a process that is not isolated, or is a worker.
int& parent_channel() {
  static int descriptor = kMissing;
  return descriptor;
}

bool& isolated_flag() {
  static bool flag = false;
  return flag;
}

ProcessEnd end_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ProcessEnd end;
  end.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return end;
}

ProcessEnd kill_late(pid_t child) {
  ::kill(child, SIGKILL);
  ProcessEnd end = end_of(child);
  end.late = true;
  return end;
}

/// Ends with its parent, and leaves no picture of its memory.
bool end_with(pid_t parent) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  // NOLINT(cppcoreguidelines-pro-type-vararg)
#endif
  return ::getppid() == parent;
}

/// Closes the descriptors from `first` to before `end`.
void close_between(int first, int end) {
#ifdef SYS_close_range
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  if (first >= end || ::syscall(SYS_close_range, first, end - 1, 0) == 0) {
    return;
  }
#endif
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  end = std::min(end, static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536)));
  for (int i = first; i < end; ++i) {
    ::close(i);
  }
}

/// What the process was started with besides its streams is no input.
void close_others(int but) {
  constexpr int kFirst = 3;
  close_between(kFirst, but);
  close_between(but + 1, std::numeric_limits<int>::max());
}

/// The same, but for files that this process has opened itself: those of others have come through exec, so
/// they lack the flag.
void close_inherited(int but) {
  constexpr int kFirst = 3;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536));
  for (int i = kFirst; i < end; ++i) {
    const int flags = ::fcntl(i, F_GETFD);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    if (i != but && flags >= 0 && (static_cast<unsigned>(flags) & static_cast<unsigned>(FD_CLOEXEC)) == 0) {
      ::close(i);
    }
  }
}

/// Answers until the child ends; its end, if it was not by itself.
std::optional<ProcessEnd> serve(int channel, pid_t child, std::optional<double> seconds, std::uint64_t most,
                                const Answer& answer) {
  constexpr int kTurn = 200;
  const auto end = end_after(seconds);
  bool reported = false;
  while (true) {
    pollfd waiting{channel, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kTurn);
    if (interrupted() && !std::exchange(reported, true)) {
      ::kill(child, SIGTERM);  // of a terminal it knows, of `kill` only this process
    }
    if (end && Clock::now() >= *end) {
      return kill_late(child);
    }
    if (ready <= 0) {
      continue;
    }
    const auto request = receive_message(channel, most);
    if (!request) {
      return std::nullopt;
    }
    if (!send_message(channel, answer(*request))) {
      return std::nullopt;
    }
  }
}

}  // namespace

bool send_all(PipeEnd pipe, ByteView bytes) {
  while (!bytes.empty()) {
    const auto sent = ::write(pipe, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(PipeEnd pipe, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto got = ::read(pipe, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

Result<std::string> isolation_support() {
  std::string support = sandbox_support();
  return support.empty()
             ? fail(codes::kDied, "--isolate needs Linux with seccomp, which this system does not have")
             : Result<std::string>(std::move(support));
}

bool isolation_splits() { return true; }

std::string end_text(const ProcessEnd& end) {
  if (end.signal == 0) {
    return "exit code " + std::to_string(end.exit);
  }
  const char* name = ::strsignal(end.signal);  // NOLINT(concurrency-mt-unsafe)
  return "signal " + std::to_string(end.signal) + " (" + (name == nullptr ? "unknown" : name) + ')';
}

Result<std::optional<ProcessEnd>> isolate(std::span<const Readable> readable, std::optional<double> seconds,
                                          std::uint64_t most, const Answer& answer, const Socket* listener) {
  std::array<int, 2> ends{};
  const pid_t self = ::getpid();
  const pid_t child = ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0 ? ::fork() : -1;
  if (child < 0) {
    return fail(codes::kDied, "cannot start the isolated process: " +
                                  std::error_code(errno, std::generic_category()).message());
  }
  if (child > 0) {
    ::close(ends[1]);
    const auto killed = serve(ends[0], child, seconds, most, answer);
    ::close(ends[0]);
    const ProcessEnd end = killed ? *killed : end_of(child);
    if (end.signal == SIGPIPE) {
      ::raise(SIGPIPE);  // whoever reads the output has had enough
    }
    return end;
  }
  if (listener == nullptr) {
    close_others(ends[1]);
  } else {
    close_inherited(ends[1]);
  }
  parent_channel() = ends[1];
  isolated_flag() = true;
  if (!end_with(self)) {
    return fail(codes::kDied, "the parent process has ended");
  }
  if (const std::string why = enter_sandbox(readable, listener != nullptr); !why.empty()) {
    return fail(codes::kDied, why);
  }
  return std::nullopt;
}

bool is_isolated() { return isolated_flag(); }

void end_if_isolated(int exit) {
  if (is_isolated()) {
    ::_exit(exit);
  }
}

Bytes ask_parent(ByteView request) {
  const int channel = parent_channel();
  auto answer = channel != kMissing && send_message(channel, request)
                    ? receive_message(channel, ~std::uint64_t{0})
                    : std::nullopt;
  return answer ? std::move(*answer) : Bytes();
}

// --- workers

namespace {

struct Worker {
  pid_t process = 0;
  int orders = kMissing;   ///< to it
  int results = kMissing;  ///< from it
  std::optional<std::size_t> index;
  std::optional<Clock::time_point> end;
  Bytes received;
  bool asks = false;  ///< for its turn
  bool has_turn = false;

  void order(std::uint64_t word) const;
};

void close_pipes(const Worker& worker) {
  ::close(worker.orders);
  ::close(worker.results);
}

/// Of a worker, for its requests while it works.
std::array<int, 2>& worker_pipes() {
  static std::array<int, 2> pipes{kMissing, kMissing};
  return pipes;
}

/// The whole life of a worker.
[[noreturn]] void work_in_child(int orders, int results, const Workers::Work& work) {
  worker_pipes() = {orders, results};
  // Its streams are those of the process above, which says what there is to say.
  ::close(STDOUT_FILENO);
  ::close(STDERR_FILENO);
  int exit = forbid_processes().empty() ? 0 : 1;
  Word order{};
  while (exit == 0 && receive_all(orders, order)) {
    Bytes result;
    try {
      result = work(value_of(order));
    } catch (const std::bad_alloc&) {
      result = Bytes();
    }
    exit = send_message(results, result) ? 0 : 1;
  }
  ::_exit(exit);
}

/// Writing to a worker that has just died is no reason to die: `wait` reports it.
void Worker::order(std::uint64_t word) const {
  struct sigaction ignore{};
  struct sigaction before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  send_all(orders, word_of(word));
  ::sigaction(SIGPIPE, &before, nullptr);
}

}  // namespace

struct Workers::State {
  std::size_t count = 1;
  std::optional<double> seconds;
  std::uint64_t most = 0;
  Work work;
  std::vector<Worker> workers;

  bool start() {
    std::array<int, 2> orders{};
    std::array<int, 2> results{};
    const pid_t self = ::getpid();
    if (::pipe(orders.data()) != 0 || ::pipe(results.data()) != 0) {
      return false;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      if (!end_with(self)) {
        ::_exit(1);
      }
      std::for_each(workers.begin(), workers.end(), close_pipes);
      ::close(std::exchange(parent_channel(), kMissing));
      ::close(orders[1]);
      ::close(results[0]);
      work_in_child(orders[0], results[1], work);
    }
    ::close(orders[0]);
    ::close(results[1]);
    workers.push_back({child, orders[1], results[0], {}, {}, {}, false, false});
    if (child < 0) {
      close_pipes(workers.back());
      workers.pop_back();
    }
    return child > 0;
  }

  /// How many bytes to read next, at most to the end of the message. Memory is reserved in steps: a worker
  /// may announce more than it sends.
  static std::size_t next_step(Bytes& received) {
    constexpr std::size_t kStep = 65536;
    if (received.size() < sizeof(Word)) {
      return sizeof(Word) - received.size();
    }
    const std::size_t whole = sizeof(Word) + static_cast<std::size_t>(value_of(received));
    if (received.size() + kStep > received.capacity()) {
      received.reserve(std::min(whole, 4 * received.size() + kStep));
    }
    return std::clamp<std::size_t>(whole - received.size(), 1, kStep);
  }

  /// What has come of it, and whether there will be more.
  bool receive(Worker& worker) const {
    const std::size_t before = worker.received.size();
    const std::size_t step = next_step(worker.received);
    worker.received.resize(before + step);
    const auto got = ::read(worker.results, worker.received.data() + before, step);
    worker.received.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) {
      return got < 0 && errno == EINTR;
    }
    if (worker.received.size() == sizeof(Word) && value_of(worker.received) == kAsksForTurn) {
      worker.received.clear();
      worker.asks = true;
    }
    return worker.received.size() < sizeof(Word) || value_of(worker.received) <= most;
  }

  /// What it has sent, once that is all.
  static std::optional<Bytes> result_of(Worker& worker) {
    Bytes& received = worker.received;
    if (received.size() < sizeof(Word) || received.size() - sizeof(Word) < value_of(received)) {
      return std::nullopt;
    }
    std::memmove(received.data(), received.data() + sizeof(Word), received.size() - sizeof(Word));
    received.resize(received.size() - sizeof(Word));
    return std::exchange(received, Bytes());
  }
};

Workers::Workers(std::size_t count, std::optional<double> seconds, std::uint64_t most, Work work)
    : state_(std::make_unique<State>()) {
  state_->count = std::max<std::size_t>(count, 1);
  state_->seconds = seconds;
  state_->most = most;
  state_->work = std::move(work);
}

Workers::~Workers() {
  for (const Worker& worker : state_->workers) {
    close_pipes(worker);
    kill_late(worker.process);
  }
}

bool Workers::begin(std::size_t index) {
  auto& workers = state_->workers;
  auto idle = std::find_if(workers.begin(), workers.end(), [](const Worker& one) { return !one.index; });
  if (idle == workers.end()) {
    if (workers.size() >= state_->count || !state_->start()) {
      return false;
    }
    idle = workers.end() - 1;
  }
  idle->index = index;
  idle->end = end_after(state_->seconds);
  idle->order(index);
  return true;
}

void Workers::take_turn() { ask_for_turn(worker_pipes()[0], worker_pipes()[1]); }

bool Workers::busy() const {
  const auto& workers = state_->workers;
  return std::any_of(workers.begin(), workers.end(), [](const Worker& one) { return one.index.has_value(); });
}

std::vector<Workers::Done> Workers::wait(milliseconds patience) {
  auto& workers = state_->workers;
  std::vector<pollfd> waiting;
  waiting.reserve(workers.size());
  for (const Worker& worker : workers) {
    waiting.push_back({worker.results, POLLIN, 0});
  }
  ::poll(waiting.data(), static_cast<nfds_t>(waiting.size()), static_cast<int>(patience.count()));
  std::vector<Done> done;
  std::vector<Worker> alive;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    Worker& worker = workers[i];
    const bool late = worker.end && Clock::now() >= *worker.end;
    if (late || (waiting[i].revents != 0 && !state_->receive(worker))) {
      // A worker that sends too much still runs, and would end with SIGPIPE if its pipes were closed first.
      ::kill(worker.process, SIGKILL);
      close_pipes(worker);
      const ProcessEnd end = late ? kill_late(worker.process) : end_of(worker.process);
      if (worker.index) {
        done.push_back({*worker.index, std::nullopt, end});
      }
      continue;
    }
    if (auto result = State::result_of(worker)) {
      done.push_back({worker.index.value_or(0), std::move(result), {}});
      worker.index.reset();
      worker.end.reset();
      worker.has_turn = false;
    }
    alive.push_back(std::move(worker));
  }
  workers = std::move(alive);
  pass_turn(workers);
  return done;
}

}  // namespace thaw::cli
