// thumbnail_client FILE SIDE OUT: asks for the picture of a file as Explorer does: by what the registry says
// of its ending, through COM. OUT is then a PAM (P7) of the bitmap. Exit code 3: nobody is registered; 4: no
// picture.
#include <windows.h>

#include <objbase.h>
#include <propsys.h>
#include <shellapi.h>
#include <thumbcache.h>

#include <cstdio>
#include <cwchar>
#include <string>
#include <vector>

namespace {

constexpr wchar_t kHandler[] = L"\\ShellEx\\{E357FCCD-A995-4576-B01F-234630154E96}";

/// A class of this user's, seen among all users' while this lives: Windows shows both as one, wine 8 does
/// not.
class Seen {
 public:
  explicit Seen(const std::wstring& name) : key_(L"Software\\Classes\\" + name) {
    HKEY user = nullptr;
    HKEY all = nullptr;
    const wchar_t* path = key_.c_str();
    if (::RegOpenKeyExW(HKEY_CLASSES_ROOT, name.c_str(), 0, KEY_READ, &all) == ERROR_SUCCESS ||
        ::RegOpenKeyExW(HKEY_CURRENT_USER, path, 0, KEY_READ, &user) != ERROR_SUCCESS) {
      ::RegCloseKey(all);
      return;
    }
    copied_ = ::RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, nullptr, 0, KEY_ALL_ACCESS, nullptr, &all,
                                nullptr) == ERROR_SUCCESS &&
              ::RegCopyTreeW(user, nullptr, all) == ERROR_SUCCESS;
    ::RegCloseKey(all);
    ::RegCloseKey(user);
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;
  ~Seen() {
    if (copied_) {
      ::RegDeleteTreeW(HKEY_LOCAL_MACHINE, key_.c_str());
    }
  }

 private:
  std::wstring key_;
  bool copied_ = false;
};

std::wstring ending_of(const std::wstring& file) { return file.substr(file.find_last_of(L'.')); }

/// The handler's class as the registry writes it, or nothing.
std::wstring handler_of(const std::wstring& ending) {
  wchar_t text[64];
  DWORD size = sizeof(text);
  return ::RegGetValueW(HKEY_CLASSES_ROOT, (ending + kHandler).c_str(), nullptr, RRF_RT_REG_SZ, nullptr, text,
                        &size) == ERROR_SUCCESS
             ? text
             : L"";
}

int failed(const char* what, HRESULT result) {
  std::fprintf(stderr, "%s: %08lx\n", what, static_cast<unsigned long>(result));
  return 4;
}

int write(HBITMAP bitmap, const wchar_t* path) {
  DIBSECTION section{};
  if (::GetObjectW(bitmap, sizeof(section), &section) != sizeof(section) || section.dsBm.bmBitsPixel != 32) {
    return failed("no DIB section of 32 bits", E_FAIL);
  }
  const long width = section.dsBm.bmWidth;
  const long height = section.dsBm.bmHeight;
  const auto* pixels = static_cast<const unsigned char*>(section.dsBm.bmBits);
  std::FILE* file = ::_wfopen(path, L"wb");
  std::fprintf(file, "P7\nWIDTH %ld\nHEIGHT %ld\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", width,
               height);
  for (long i = 0; i < width * height; ++i, pixels += 4) {
    const unsigned char rgba[] = {pixels[2], pixels[1], pixels[0], pixels[3]};
    std::fwrite(rgba, 1, sizeof(rgba), file);
  }
  std::fclose(file);
  return 0;
}

}  // namespace

int main() {
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (count != 4 || FAILED(::CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED))) {
    return 2;
  }
  wchar_t file[1024];
  ::GetFullPathNameW(words[1], 1024, file, nullptr);
  const std::wstring ending = ending_of(file);
  const Seen shell_extension(ending);
  const std::wstring name = handler_of(ending);
  const Seen server(L"CLSID\\" + name);
  CLSID handler{};
  if (name.empty() || FAILED(::CLSIDFromString(name.c_str(), &handler))) {
    return 3;
  }
  IThumbnailProvider* provider = nullptr;
  IInitializeWithFile* initialise = nullptr;
  HRESULT result = ::CoCreateInstance(handler, nullptr, CLSCTX_INPROC_SERVER, __uuidof(IThumbnailProvider),
                                      reinterpret_cast<void**>(&provider));
  if (FAILED(result)) {
    return failed("CoCreateInstance", result);
  }
  result = provider->QueryInterface(__uuidof(IInitializeWithFile), reinterpret_cast<void**>(&initialise));
  if (SUCCEEDED(result)) {
    result = initialise->Initialize(file, STGM_READ);
    initialise->Release();
  }
  HBITMAP bitmap = nullptr;
  WTS_ALPHATYPE alpha = WTSAT_UNKNOWN;
  if (SUCCEEDED(result)) {
    result = provider->GetThumbnail(static_cast<UINT>(std::wcstoul(words[2], nullptr, 10)), &bitmap, &alpha);
  }
  provider->Release();
  if (FAILED(result)) {
    return failed("GetThumbnail", result);
  }
  const int exit = alpha == WTSAT_ARGB ? write(bitmap, words[3]) : failed("alpha", E_FAIL);
  ::DeleteObject(bitmap);
  ::CoFreeUnusedLibrariesEx(0, 0);
  ::CoUninitialize();
  return exit;
}
