#include "cli/platform/process.hpp"

#include <thaw/control.hpp>

#include "cli/platform/windows/wide.hpp"

#include <windows.h>

#include <shellapi.h>

#include <algorithm>
#include <string_view>
#include <system_error>

namespace thaw::cli {

std::filesystem::path command_path() {
  constexpr DWORD kLongest = 32768;  // of any path
  std::wstring name(kLongest, L'\0');
  name.resize(::GetModuleFileNameW(nullptr, name.data(), kLongest));
  return name;
}

void open_browser(const std::string& url) {
  ::ShellExecuteW(nullptr, L"open", to_wide(url).c_str(), nullptr, nullptr, SW_SHOWNORMAL);
}

std::filesystem::path find_program(const std::string& name) {
  const wchar_t* folders = ::_wgetenv(L"PATH");
  std::wstring_view rest = folders == nullptr ? L"" : folders;
  while (!rest.empty()) {
    const std::filesystem::path folder = rest.substr(0, rest.find(L';'));
    rest.remove_prefix(std::min(rest.size(), folder.native().size() + 1));
    std::error_code error;
    const std::filesystem::path program = folder / to_wide(name + ".exe");
    if (folder.is_absolute() && std::filesystem::is_regular_file(program, error)) {
      return program;
    }
  }
  return {};
}

namespace {

/// As programs take a command line apart; the words have no quotation marks. Backslashes count before one.
std::wstring quoted(const std::wstring& word) {
  const std::size_t end = word.find_last_not_of(L'\\') + 1;
  return L'"' + word + std::wstring(word.size() - end, L'\\') + L'"';
}

}  // namespace

std::optional<int> run_program(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments, const Control* control) {
  std::wstring line = quoted(program.native());
  for (const std::string& argument : arguments) {
    line += L' ' + quoted(to_wide(argument));
  }
  STARTUPINFOW start{};
  start.cb = sizeof(start);
  PROCESS_INFORMATION process{};
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, FALSE, CREATE_NO_WINDOW, nullptr,
                       nullptr, &start, &process) == 0) {
    return std::nullopt;
  }
  constexpr DWORD kPatience = 50;  // milliseconds
  bool ended = false;
  while (::WaitForSingleObject(process.hProcess, kPatience) == WAIT_TIMEOUT) {
    if (is_stopped(control) && !ended) {
      ended = ::TerminateProcess(process.hProcess, 1) != 0;
    }
  }
  DWORD status = 0;
  const bool reported = ::GetExitCodeProcess(process.hProcess, &status) != 0;
  ::CloseHandle(process.hThread);
  ::CloseHandle(process.hProcess);
  return reported && !ended ? std::optional(static_cast<int>(status)) : std::nullopt;
}

}  // namespace thaw::cli
