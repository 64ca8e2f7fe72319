// What a process of --isolate is on Windows, and how its workers end. Arguments: a file that it may read, one
// that it may not write, and "" or how the second of four pieces of work ends: crash, hang, flood, or turn:
// it crashes while the others wait for its turn to end.
#include "cli/platform/command_line.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/process.hpp"
#include "turns.hpp"

#include <windows.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

namespace {

using namespace thaw;
using namespace thaw::cli;

/// 0x2000 is that of a user's programs, 0x1000 the low one.
DWORD integrity_level() {
  HANDLE token = nullptr;
  ::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token);
  alignas(TOKEN_MANDATORY_LABEL) std::array<char, 256> label{};
  DWORD size = 0;
  ::GetTokenInformation(token, TokenIntegrityLevel, label.data(), label.size(), &size);
  ::CloseHandle(token);
  return *::GetSidSubAuthority(reinterpret_cast<TOKEN_MANDATORY_LABEL*>(label.data())->Label.Sid, 0);
}

DWORD privileges() {
  HANDLE token = nullptr;
  ::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token);
  alignas(TOKEN_PRIVILEGES) std::array<char, 4096> list{};
  DWORD size = 0;
  ::GetTokenInformation(token, TokenPrivileges, list.data(), list.size(), &size);
  ::CloseHandle(token);
  return reinterpret_cast<TOKEN_PRIVILEGES*>(list.data())->PrivilegeCount;
}

bool is_alone_in_job() {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  constexpr DWORD kNeeded = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
  return ::QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &limits, sizeof(limits),
                                     nullptr) != 0 &&
         (limits.BasicLimitInformation.LimitFlags & kNeeded) == kNeeded &&
         limits.BasicLimitInformation.ActiveProcessLimit == 1;
}

std::string outcome_in(const std::string& inside, const std::string& outside) {
  std::string text = std::ifstream(inside) ? "reads its input\n" : "CANNOT READ its input\n";
  text += integrity_level() == SECURITY_MANDATORY_LOW_RID ? "low level\n" : "NO LOW LEVEL\n";
  text += privileges() <= 1 ? "no privileges\n" : "PRIVILEGES\n";
  text += is_alone_in_job() ? "alone in a job\n" : "NO JOB\n";
  text += std::ofstream(outside, std::ios::app) ? "write ESCAPED\n" : "write refused\n";
  text += run_program(command_path(), {"child"}, nullptr) ? "exec ESCAPED\n" : "exec refused\n";
  return text;
}

int work(const std::string& how) {
  Workers workers(2, 1.0, 1U << 20U, [&](std::size_t index) {
    if (how == "turn") {
      return work_in_turn(index == 1);
    }
    if (index == 1 && how == "crash") {
      volatile int* nowhere = nullptr;
      *nowhere = 1;
    }
    for (volatile bool hangs = index == 1 && how == "hang"; hangs;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return Bytes(index == 1 && how == "flood" ? 2U << 20U : 100'000U);
  });
  std::size_t next = 0;
  std::vector<Bytes> results;
  while (next < 4 || workers.busy()) {
    while (next < 4 && workers.begin(next)) {
      ++next;
    }
    if (!workers.busy()) {
      std::printf("NO WORKER\n");
      return 1;
    }
    for (const auto& done : workers.wait(std::chrono::milliseconds(100))) {
      std::printf("%d %s\n", static_cast<int>(done.index),
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
  const auto words = begin_run(argc, argv);
  if (words.size() < 3) {
    return 2;
  }
  const auto ended = isolate({}, std::nullopt, 1U << 20U,
                             [](ByteView request) { return Bytes(request.begin(), request.end()); });
  if (!ended) {
    std::printf("%s\n", ended.error().message.c_str());
    return 3;
  }
  if (*ended) {
    std::printf("%s\n", (*ended)->signal == 0 ? "ended by itself" : end_text(**ended).c_str());
    return (*ended)->exit;
  }
  if (words[2] == "crash-itself") {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
  int exit = 0;
  if (words[2] == "answers") {
    Bytes large(3'000'000, 7);
    const Bytes small{1, 2, 3};
    std::printf("%s\n%s", ask_parent(small) == small ? "the parent answers" : "NO ANSWER",
                outcome_in(words[0], words[1]).c_str());
    std::printf("%s\n",
                ask_parent(large).empty() ? "too long a question refused" : "a long question ANSWERED");
  } else {
    exit = work(words[2]);
  }
  std::fflush(stdout);
  return exit;
}
