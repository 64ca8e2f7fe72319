#include "cli/platform/terminal.hpp"

#include "cli/platform/windows/wide.hpp"

#include <windows.h>

#include <algorithm>
#include <cstdio>

namespace thaw::cli {
namespace {

HANDLE handle_of(bool to_stderr) { return ::GetStdHandle(to_stderr ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE); }

/// A console, which from here on understands colours.
bool is_console(bool to_stderr) {
  DWORD mode = 0;
  if (::GetConsoleMode(handle_of(to_stderr), &mode) == 0) {
    return false;
  }
  constexpr DWORD kUnderstandsEscapes = 0x0004;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING, of Windows 10
  ::SetConsoleMode(handle_of(to_stderr), mode | kUnderstandsEscapes);
  return true;
}

}  // namespace

bool stdout_is_terminal() { return is_console(false); }
bool stderr_is_terminal() { return is_console(true); }

std::optional<std::size_t> terminal_width() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handle_of(false), &info) == 0) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

bool write_terminal(std::string_view text, bool to_stderr) {
  // As UTF-16, whatever code page the console has: that stays as it is.
  const std::wstring wide = to_wide(text);
  constexpr std::size_t kMost = 8192;  // what an older console takes at once
  std::size_t at = 0;
  while (at < wide.size()) {
    const auto size = static_cast<DWORD>(std::min(wide.size() - at, kMost));
    DWORD written = 0;
    if (::WriteConsoleW(handle_of(to_stderr), wide.data() + at, size, &written, nullptr) == 0 ||
        written == 0) {
      return false;
    }
    at += written;
  }
  return true;
}

}  // namespace thaw::cli
