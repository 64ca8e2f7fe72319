#include "cli/platform/isolation.hpp"

#include <thaw/codes.hpp>

#include "cli/platform/interrupt.hpp"
#include "cli/platform/messages.hpp"
#include "cli/platform/process.hpp"

#include <windows.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

// A process cannot split here. It starts its own program again with the same command line, with less rights
// and in a job of its own; the new process finds in the environment what it is, and its pipes.

namespace thaw::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr DWORD kTurn = 2;  // milliseconds between looks at a pipe: nothing waits for several of them
constexpr const wchar_t* kRole = L"THAW_ISOLATED";

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (*this) {
      ::CloseHandle(handle_);
    }
  }
  explicit operator bool() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
  [[nodiscard]] HANDLE get() const { return handle_; }

 private:
  HANDLE handle_ = nullptr;
};

/// Both directions between two processes.
struct Channel {
  Handle in;
  Handle out;
};

/// One call takes no more.
DWORD length_of(std::size_t size) { return static_cast<DWORD>(std::min(size, std::size_t{1} << 20U)); }

/// Whether a pipe has bytes; none once its other end is gone.
std::optional<bool> has_bytes(HANDLE pipe) {
  DWORD ready = 0;
  return ::PeekNamedPipe(pipe, nullptr, 0, nullptr, &ready, nullptr) == 0 ? std::nullopt
                                                                          : std::optional(ready > 0);
}

/// Takes the question out of a pipe whose next word it is.
bool asks_for_turn(HANDLE pipe) {
  Word word{};
  DWORD got = 0;
  return ::PeekNamedPipe(pipe, word.data(), sizeof(word), &got, nullptr, nullptr) != 0 &&
         got == sizeof(word) && value_of(word) == kAsksForTurn && receive_all(pipe, word);
}

// --- what a process is

enum class Role : std::uint8_t { outside, inside, worker };

struct Self {
  Role role = Role::outside;
  Channel channel;  ///< inside: to the process outside; in a worker: orders and results
};

Handle handle_in(const std::wstring& text, std::size_t& at) {
  wchar_t* end = nullptr;
  const auto value = std::wcstoull(text.c_str() + at, &end, 10);
  at = static_cast<std::size_t>(end - text.c_str());
  return Handle(reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(value)));  // NOLINT: as it was written
}

/// What the environment says, which then says it no more.
Self read_self() {
  std::array<wchar_t, 64> text{};
  const DWORD size = ::GetEnvironmentVariableW(kRole, text.data(), static_cast<DWORD>(text.size()));
  ::SetEnvironmentVariableW(kRole, nullptr);
  Self result;
  if (size > 0 && size < text.size()) {
    const std::wstring role(text.data());
    std::size_t at = 1;
    result.role = role[0] == L'w' ? Role::worker : Role::inside;
    result.channel.in = handle_in(role, at);
    result.channel.out = handle_in(role, at);
  }
  return result;
}

Self& self() {
  static Self instance = read_self();
  return instance;
}

bool& isolated_flag() {
  static bool flag = false;
  return flag;
}

// --- starting a process

/// This user's rights without its privileges, at the low level: what such a process asks to write is refused
/// but for a few folders of its own.
Handle restricted_token() {
  HANDLE found = nullptr;
  ::OpenProcessToken(::GetCurrentProcess(),
                     TOKEN_DUPLICATE | TOKEN_ASSIGN_PRIMARY | TOKEN_QUERY | TOKEN_ADJUST_DEFAULT, &found);
  const Handle process(found);
  HANDLE restricted = nullptr;
  if (!process || ::CreateRestrictedToken(process.get(), DISABLE_MAX_PRIVILEGE, 0, nullptr, 0, nullptr, 0,
                                          nullptr, &restricted) == 0) {
    return {};
  }
  Handle token(restricted);
  SID_IDENTIFIER_AUTHORITY authority = SECURITY_MANDATORY_LABEL_AUTHORITY;
  SID low{};  // has room for one part, which is what it has
  ::InitializeSid(&low, &authority, 1);
  *::GetSidSubAuthority(&low, 0) = SECURITY_MANDATORY_LOW_RID;
  TOKEN_MANDATORY_LABEL label{{&low, SE_GROUP_INTEGRITY}};
  const bool lowered = ::SetTokenInformation(token.get(), TokenIntegrityLevel, &label,
                                             static_cast<DWORD>(sizeof(label) + ::GetLengthSid(&low))) != 0;
  return lowered ? std::move(token) : Handle();
}

/// One process, which ends with whoever holds the job, and without a window when it crashes.
Handle job_of_one() {
  Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
                                            JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
                                            JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  limits.BasicLimitInformation.ActiveProcessLimit = 1;
  const bool set = job && ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits,
                                                    sizeof(limits)) != 0;
  return set ? std::move(job) : Handle();
}

/// Handles that a new process gets, each once, and no others.
class Inherited {
 public:
  void add(HANDLE handle) {
    const bool real = handle != nullptr && handle != INVALID_HANDLE_VALUE;
    if (real && std::find(handles_.begin(), handles_.end(), handle) == handles_.end() &&
        ::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0) {
      handles_.push_back(handle);
    }
  }
  /// Into what a process is started with, as long as this lives.
  bool give(STARTUPINFOEXW& start) {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    list_.resize(size);
    start.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(list_.data());  // NOLINT: its type
    return ::InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size) != 0 &&
           ::UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                       handles_.data(), handles_.size() * sizeof(HANDLE), nullptr,
                                       nullptr) != 0;
  }

 private:
  std::vector<HANDLE> handles_;
  Bytes list_;
};

/// A process that has been started, and this side of its channel.
struct Child {
  Handle process;
  Handle job;
  Channel channel;
};

bool make_pipe(Handle& in, Handle& out) {
  constexpr DWORD kSize = 1U << 16U;
  HANDLE read = nullptr;
  HANDLE write = nullptr;
  if (::CreatePipe(&read, &write, nullptr, kSize) == 0) {
    return false;
  }
  in = Handle(read);
  out = Handle(write);
  return true;
}

std::wstring role_text(Role role, const Channel& channel) {
  const auto number = [](const Handle& handle) {
    return std::to_wstring(reinterpret_cast<std::uintptr_t>(handle.get()));
  };
  return (role == Role::worker ? L"w" : L"i") + number(channel.in) + L' ' + number(channel.out);
}

/// This program again with the same words; `streams` are its own three.
std::optional<Child> start(Role role, const std::array<HANDLE, 3>& streams) {
  Child child;
  Channel theirs;
  const Handle token = restricted_token();
  child.job = job_of_one();
  if (!token || !child.job || !make_pipe(child.channel.in, theirs.out) ||
      !make_pipe(theirs.in, child.channel.out)) {
    return std::nullopt;
  }
  Inherited inherited;
  for (HANDLE handle : {theirs.in.get(), theirs.out.get(), streams[0], streams[1], streams[2]}) {
    inherited.add(handle);
  }
  STARTUPINFOEXW info{};
  info.StartupInfo.cb = sizeof(info);
  info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  info.StartupInfo.hStdInput = streams[0];
  info.StartupInfo.hStdOutput = streams[1];
  info.StartupInfo.hStdError = streams[2];
  std::wstring line = ::GetCommandLineW();
  PROCESS_INFORMATION process{};
  ::SetEnvironmentVariableW(kRole, role_text(role, theirs).c_str());
  const bool started = inherited.give(info) &&
                       ::CreateProcessAsUserW(token.get(), command_path().c_str(), line.data(), nullptr,
                                              nullptr, TRUE, CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT,
                                              nullptr, nullptr, &info.StartupInfo, &process) != 0;
  ::SetEnvironmentVariableW(kRole, nullptr);
  if (!started) {
    return std::nullopt;
  }
  child.process = Handle(process.hProcess);
  const Handle thread(process.hThread);
  if (::AssignProcessToJobObject(child.job.get(), child.process.get()) == 0) {
    ::TerminateProcess(child.process.get(), 1);
    return std::nullopt;
  }
  ::ResumeThread(thread.get());
  return child;
}

/// Code made at run time, and programs from the network or from where such a process may write, are not run.
void forbid_new_code() {
  PROCESS_MITIGATION_DYNAMIC_CODE_POLICY code{};
  code.ProhibitDynamicCode = 1;
  ::SetProcessMitigationPolicy(ProcessDynamicCodePolicy, &code, sizeof(code));
  PROCESS_MITIGATION_IMAGE_LOAD_POLICY images{};
  images.NoRemoteImages = 1;
  images.NoLowMandatoryLabelImages = 1;
  ::SetProcessMitigationPolicy(ProcessImageLoadPolicy, &images, sizeof(images));
}

// --- how processes end

ProcessEnd end_of(HANDLE process) {
  ::WaitForSingleObject(process, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(process, &code);
  constexpr DWORD kException = 0xC0000000;
  ProcessEnd end;
  (code >= kException ? end.signal : end.exit) = static_cast<int>(code);
  return end;
}

ProcessEnd kill_late(HANDLE process) {
  ::TerminateProcess(process, 1);
  ProcessEnd end = end_of(process);
  end.late = true;
  return end;
}

// --- outside

/// A message begins with what it is for.
enum class Request : std::uint8_t { answer, worker };

class Server {
 public:
  Server(Child& child, std::optional<double> seconds, std::uint64_t most, const Answer& answer)
      : child_(child), end_(end_after(seconds)), most_(most), answer_(answer) {}

  ProcessEnd run() {
    HANDLE pipe = child_.channel.in.get();
    for (auto ready = has_bytes(pipe); ready; ready = has_bytes(pipe)) {
      if (end_ && Clock::now() >= *end_) {
        return kill_late(child_.process.get());
      }
      if (!*ready) {
        ::WaitForSingleObject(child_.process.get(), kTurn);
        continue;
      }
      const auto request = receive_message(pipe, most_ + 1);
      if (!request || request->empty() || !send_message(child_.channel.out.get(), reply(*request))) {
        break;
      }
    }
    child_.channel = {};
    constexpr DWORD kPatience = 1000;  // one that says too much is not gone yet
    if (!interrupted() && ::WaitForSingleObject(child_.process.get(), kPatience) == WAIT_TIMEOUT) {
      ::TerminateProcess(child_.process.get(), 1);
    }
    return end_of(child_.process.get());
  }

 private:
  Bytes reply(const Bytes& request) {
    return static_cast<Request>(request[0]) == Request::worker ? start_worker()
                                                               : answer_(ByteView(request).subspan(1));
  }

  /// The other process has no right to start one. It gets the pipes, and what it takes to end the worker.
  Bytes start_worker() {
    const Handle nothing(::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE,
                                       FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0,
                                       nullptr));
    auto worker = start(Role::worker, {nothing.get(), nothing.get(), nothing.get()});
    Bytes reply;
    if (worker) {
      give(worker->channel.in.get(), 0, reply);
      give(worker->channel.out.get(), 0, reply);
      give(worker->process.get(), PROCESS_TERMINATE | SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, reply);
      jobs_.push_back(std::move(worker->job));
    }
    return reply;
  }

  /// A handle for the other process, with its rights or with the same.
  void give(HANDLE handle, DWORD rights, Bytes& reply) const {
    HANDLE given = nullptr;
    ::DuplicateHandle(::GetCurrentProcess(), handle, child_.process.get(), &given, rights, FALSE,
                      rights == 0 ? DUPLICATE_SAME_ACCESS : 0);
    const Word word = word_of(reinterpret_cast<std::uintptr_t>(given));
    reply.insert(reply.end(), word.begin(), word.end());
  }

  Child& child_;
  std::optional<Clock::time_point> end_;
  std::uint64_t most_;
  const Answer& answer_;
  std::vector<Handle> jobs_;  ///< of workers, which end with it
};

Bytes ask(Request kind, ByteView request) {
  Self& current = self();
  if (current.role != Role::inside) {
    return {};
  }
  Bytes message{static_cast<std::uint8_t>(kind)};
  message.insert(message.end(), request.begin(), request.end());
  auto answer = send_message(current.channel.out.get(), message)
                    ? receive_message(current.channel.in.get(), ~std::uint64_t{0})
                    : std::nullopt;
  return answer ? std::move(*answer) : Bytes();
}

}  // namespace

bool send_all(PipeEnd pipe, ByteView bytes) {
  while (!bytes.empty()) {
    DWORD sent = 0;
    if (::WriteFile(pipe, bytes.data(), length_of(bytes.size()), &sent, nullptr) == 0 || sent == 0) {
      return false;
    }
    bytes = bytes.subspan(sent);
  }
  return true;
}

bool receive_all(PipeEnd pipe, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    DWORD got = 0;
    if (::ReadFile(pipe, bytes.data(), length_of(bytes.size()), &got, nullptr) == 0 || got == 0) {
      return false;
    }
    bytes = bytes.subspan(got);
  }
  return true;
}

Result<std::string> isolation_support() { return "job object, low integrity level"; }

bool isolation_splits() { return false; }

std::string end_text(const ProcessEnd& end) {
  if (end.signal == 0) {
    return "exit code " + std::to_string(end.exit);
  }
  struct Exception {
    DWORD code;
    const char* text;
  };
  constexpr std::array<Exception, 5> kKnown = {{{0xC0000005, "0xC0000005 (access violation)"},
                                                {0xC00000FD, "0xC00000FD (stack overflow)"},
                                                {0xC000001D, "0xC000001D (illegal instruction)"},
                                                {0xC0000094, "0xC0000094 (integer division by zero)"},
                                                {0xC0000409, "0xC0000409 (fail fast)"}}};
  const auto code = static_cast<DWORD>(end.signal);
  const auto* known =
      std::find_if(kKnown.begin(), kKnown.end(), [&](const Exception& one) { return one.code == code; });
  return std::string("exception ") + (known == kKnown.end() ? std::to_string(code) : known->text);
}

Result<std::optional<ProcessEnd>> isolate(std::span<const Readable> /*readable*/,
                                          std::optional<double> seconds, std::uint64_t most,
                                          const Answer& answer, const Socket* listener) {
  if (self().role != Role::outside) {
    isolated_flag() = true;
    forbid_new_code();
    return std::nullopt;
  }
  auto child = listener != nullptr
                   ? std::nullopt
                   : start(Role::inside, {::GetStdHandle(STD_INPUT_HANDLE), ::GetStdHandle(STD_OUTPUT_HANDLE),
                                          ::GetStdHandle(STD_ERROR_HANDLE)});
  if (!child) {
    return fail(codes::kDied, "cannot start the isolated process");
  }
  return Server(*child, seconds, most, answer).run();
}

bool is_isolated() { return isolated_flag(); }

void end_if_isolated(int /*exit*/) {}

Bytes ask_parent(ByteView request) { return ask(Request::answer, request); }

// --- workers

namespace {

struct Worker {
  Handle process;
  Channel channel;
  std::optional<std::size_t> index;
  std::optional<Clock::time_point> end;
  bool asks = false;  ///< for its turn
  bool has_turn = false;

  /// `wait` reports a worker that has ended.
  void order(std::uint64_t word) const { send_all(channel.out.get(), word_of(word)); }
};

std::optional<Worker> worker_of(ByteView handles) {
  constexpr std::size_t kEach = sizeof(std::uint64_t);
  if (handles.size() != 3 * kEach) {
    return std::nullopt;
  }
  const auto handle = [&](std::size_t i) {
    const auto value = static_cast<std::uintptr_t>(value_of(handles.subspan(i * kEach, kEach)));
    return Handle(reinterpret_cast<HANDLE>(value));  // NOLINT: as it was sent
  };
  return Worker{handle(2), {handle(0), handle(1)}, {}, {}, false, false};
}

/// The rest of a worker's life.
[[noreturn]] void work_on_orders(const Channel& channel, const Workers::Work& work) {
  Word order{};
  bool good = true;
  while (good && receive_all(channel.in.get(), order)) {
    Bytes result;
    try {
      result = work(static_cast<std::size_t>(value_of(order)));
    } catch (const std::bad_alloc&) {
      result = Bytes();
    }
    good = send_message(channel.out.get(), result);
  }
  ::TerminateProcess(::GetCurrentProcess(), good ? 0 : 1);
  std::abort();
}

}  // namespace

struct Workers::State {
  std::size_t count = 1;
  std::optional<double> seconds;
  std::uint64_t most = 0;
  std::vector<Worker> workers;

  /// Takes a worker's result, or how it ended; false once the worker has ended.
  [[nodiscard]] bool settle(Worker& worker, std::vector<Done>& done) const {
    const bool late = worker.end && Clock::now() >= *worker.end;
    const auto ready = has_bytes(worker.channel.in.get());
    if (!late && ready && !*ready) {
      return true;
    }
    if (!late && ready && asks_for_turn(worker.channel.in.get())) {
      worker.asks = true;
      return true;
    }
    auto result = late || !ready ? std::nullopt : receive_message(worker.channel.in.get(), most);
    const bool good = result.has_value();
    if (good) {
      done.push_back({worker.index.value_or(0), std::move(result), {}});
    } else {
      if (!late) {
        constexpr DWORD kPatience = 1000;
        ::WaitForSingleObject(worker.process.get(), kPatience);  // or it says too much, and is not gone yet
        ::TerminateProcess(worker.process.get(), 1);
      }
      const ProcessEnd end = late ? kill_late(worker.process.get()) : end_of(worker.process.get());
      if (worker.index) {
        done.push_back({*worker.index, std::nullopt, end});
      }
    }
    worker.index.reset();
    worker.end.reset();
    worker.has_turn = false;
    return good;
  }
};

Workers::Workers(std::size_t count, std::optional<double> seconds, std::uint64_t most, Work work)
    : state_(std::make_unique<State>()) {
  if (self().role == Role::worker) {
    work_on_orders(self().channel, work);
  }
  state_->count = std::max<std::size_t>(count, 1);
  state_->seconds = seconds;
  state_->most = most;
}

Workers::~Workers() {
  for (const Worker& worker : state_->workers) {
    kill_late(worker.process.get());
  }
}

bool Workers::begin(std::size_t index) {
  auto& workers = state_->workers;
  auto idle = std::find_if(workers.begin(), workers.end(), [](const Worker& one) { return !one.index; });
  if (idle == workers.end()) {
    auto started = workers.size() < state_->count ? worker_of(ask(Request::worker, {})) : std::nullopt;
    if (!started) {
      return false;
    }
    workers.push_back(std::move(*started));
    idle = workers.end() - 1;
  }
  idle->index = index;
  idle->end = end_after(state_->seconds);
  idle->order(index);
  return true;
}

void Workers::take_turn() { ask_for_turn(self().channel.in.get(), self().channel.out.get()); }

bool Workers::busy() const {
  const auto& workers = state_->workers;
  return std::any_of(workers.begin(), workers.end(), [](const Worker& one) { return one.index.has_value(); });
}

std::vector<Workers::Done> Workers::wait(milliseconds patience) {
  auto& workers = state_->workers;
  const auto until = Clock::now() + patience;
  std::vector<Done> done;
  while (true) {
    std::vector<Worker> alive;
    for (Worker& worker : workers) {
      if (state_->settle(worker, done)) {
        alive.push_back(std::move(worker));
      }
    }
    workers = std::move(alive);
    pass_turn(workers);
    if (!done.empty() || workers.empty() || Clock::now() >= until) {
      return done;
    }
    ::Sleep(kTurn);
  }
}

}  // namespace thaw::cli
