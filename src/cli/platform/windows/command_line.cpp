#include "cli/platform/command_line.hpp"

#include "cli/platform/windows/wide.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <shellapi.h>

#include <algorithm>
#include <cstdio>

namespace thaw::cli {

std::vector<std::string> begin_run(int /*argc*/, char** /*argv*/) {
  for (std::FILE* stream : {stdin, stdout, stderr}) {
    ::_setmode(::_fileno(stream), _O_BINARY);
  }
  // A drive without a disk, or a fault of ours: reported, not shown as a window that waits.
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  // main's own arguments went through the code page.
  int count = 0;
  wchar_t** wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) {
    words.push_back(from_wide(wide[i]));
  }
  ::LocalFree(wide);
  return words;
}

std::vector<std::string> expand_word(const std::string& word) {
  const std::size_t slash = word.find_last_of("/\\:");
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  // "archive//*" and "\\?\C:\x" are no patterns of files.
  if (word.find_first_of("*?", name) == std::string::npos || word.find_first_of("*?") < name ||
      word.find("//", 1) != std::string::npos) {
    return {word};
  }
  std::vector<std::string> found;
  WIN32_FIND_DATAW data{};
  const HANDLE search = ::FindFirstFileExW(to_wide(word).c_str(), FindExInfoBasic, &data,
                                           FindExSearchNameMatch, nullptr, FIND_FIRST_EX_LARGE_FETCH);
  for (bool more = search != INVALID_HANDLE_VALUE; more; more = ::FindNextFileW(search, &data) != 0) {
    // As shells have it: what is hidden is not meant.
    if (data.cFileName[0] != L'.' && (data.dwFileAttributes & FILE_ATTRIBUTE_HIDDEN) == 0) {
      found.push_back(word.substr(0, name) + from_wide(data.cFileName));
    }
  }
  if (search != INVALID_HANDLE_VALUE) {
    ::FindClose(search);
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? std::vector<std::string>{word} : found;
}

std::string portable_path(std::string typed) {
  // Verbatim paths take no "/", with which names of textures go on; that of a drive is the same without its
  // prefix, unless it is too long for that.
  constexpr std::string_view kVerbatim = "\\\\?\\";
  constexpr std::size_t kLongest = 240;
  if (typed.starts_with(kVerbatim)) {
    if (typed.size() > kLongest || typed.find(':') != kVerbatim.size() + 1) {
      return typed;
    }
    typed.erase(0, kVerbatim.size());
  }
  // The two that a server begins with stay: "//" is what archives have inside.
  const std::ptrdiff_t start = typed.starts_with("\\\\") ? 2 : 0;
  std::replace(typed.begin() + start, typed.end(), '\\', '/');
  return typed;
}

bool takes_dropped_files() { return true; }

}  // namespace thaw::cli
