// hold_file FILE SECONDS: opens a file as programs do that share it with nobody, says so on stdout, and lets
// it go.
#include <windows.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char** words) {
  if (count != 3) {
    return 2;
  }
  const HANDLE file = ::CreateFileA(words[1], GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return 1;
  }
  std::puts("held");
  std::fflush(stdout);
  ::Sleep(static_cast<DWORD>(std::atof(words[2]) * 1000));
  ::CloseHandle(file);
  return 0;
}
