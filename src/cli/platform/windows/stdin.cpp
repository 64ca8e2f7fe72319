#include "cli/platform/stdin.hpp"

#include "cli/platform/interrupt.hpp"

#include <windows.h>

#include <algorithm>
#include <system_error>

namespace thaw::cli {
namespace {

/// Pipes cannot be waited for: they are polled again and again, soon at first.
bool has_come(HANDLE pipe, std::chrono::milliseconds patience) {
  constexpr DWORD kLongestPause = 10;
  const ULONGLONG end = ::GetTickCount64() + static_cast<ULONGLONG>(patience.count());
  DWORD there = 0;
  // What cannot be polled, such as a pipe whose other end is closed, shows when it is read.
  for (DWORD pause = 0; ::PeekNamedPipe(pipe, nullptr, 0, nullptr, &there, nullptr) != 0 && there == 0;
       pause = std::min(pause + 1, kLongestPause)) {
    if (::GetTickCount64() >= end || interrupted()) {
      return false;
    }
    ::Sleep(pause);
  }
  return true;
}

}  // namespace

Result<std::optional<std::size_t>> read_stdin(std::span<std::uint8_t> buffer,
                                              std::chrono::milliseconds patience) {
  const HANDLE input = ::GetStdHandle(STD_INPUT_HANDLE);
  const DWORD type = ::GetFileType(input);
  if (type == FILE_TYPE_PIPE && !has_come(input, patience)) {
    return std::nullopt;
  }
  if (type == FILE_TYPE_CHAR &&
      ::WaitForSingleObject(input, static_cast<DWORD>(patience.count())) == WAIT_TIMEOUT) {
    return std::nullopt;
  }
  DWORD got = 0;
  if (::ReadFile(input, buffer.data(), static_cast<DWORD>(buffer.size()), &got, nullptr) != 0) {
    return std::size_t{got};
  }
  const DWORD error = ::GetLastError();
  if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF) {
    return std::size_t{0};
  }
  if (error == ERROR_OPERATION_ABORTED) {  // Ctrl-C
    return std::nullopt;
  }
  return fail(codes::kInputUnreadable, std::system_category().message(static_cast<int>(error)));
}

}  // namespace thaw::cli
