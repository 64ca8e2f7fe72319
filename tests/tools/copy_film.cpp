// In the place of ffmpeg on Windows: the pictures that -i names are the film that the last word names;
// without pictures it fails.
#include <windows.h>

#include <cwchar>

int wmain(int count, wchar_t** words) {
  const wchar_t* pictures = nullptr;
  for (int i = 1; i + 1 < count; ++i) {
    if (std::wcscmp(words[i], L"-i") == 0) {
      pictures = words[i + 1];
    }
  }
  return pictures != nullptr && ::CopyFileW(pictures, words[count - 1], FALSE) != 0 ? 0 : 1;
}
