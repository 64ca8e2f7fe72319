#include "cli/platform/process.hpp"

#include "cli/platform/windows/wide.hpp"

#include <windows.h>

#include <shellapi.h>

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

}  // namespace thaw::cli
