// thaw-thumbs.dll: Explorer asks it for the picture of a model. Nothing of a file is read in here: a process
// of thaw.exe, which lies next to this library, draws the picture within limits of memory and time, and the
// system's own reader of PNG reads that. `thaw register` registers the library with Windows.

#include "cli/platform/windows/explorer/class_id.hpp"

#include <windows.h>

#include <propsys.h>
#include <shlwapi.h>
#include <thumbcache.h>
#include <wincodec.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <string>

namespace thaw::explorer {
namespace {

constexpr DWORD kPatience = 20'000;           ///< milliseconds that one picture may take
constexpr SIZE_T kMemory = SIZE_T{2} << 30U;  ///< bytes that one picture may take
constexpr UINT kLargest = 1024;               ///< side of a picture; Explorer enlarges what is smaller
constexpr std::size_t kLongestPath = 32'768;  ///< of any file

std::atomic<long> g_users{0};  // objects and locks: while there are any, the library stays

/// A handle of the kernel's.
struct CloseHandleOf {
  using pointer = HANDLE;
  void operator()(HANDLE handle) const { ::CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, CloseHandleOf>;

struct ReleaseObject {
  void operator()(IUnknown* object) const { object->Release(); }
};
template <typename Interface>
using ComPointer = std::unique_ptr<Interface, ReleaseObject>;

/// The folder of this library, with a backslash at its end.
std::wstring library_folder() {
  HMODULE library = nullptr;
  ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       reinterpret_cast<const wchar_t*>(&library_folder), &library);
  std::wstring path(kLongestPath, L'\0');
  path.resize(::GetModuleFileNameW(library, path.data(), static_cast<DWORD>(path.size())));
  return path.substr(0, path.find_last_of(L'\\') + 1);
}

/// An empty file for the picture, gone with this.
class PictureFile {
 public:
  PictureFile() {
    wchar_t folder[MAX_PATH + 1];
    wchar_t name[MAX_PATH + 1];
    if (::GetTempPathW(MAX_PATH + 1, folder) != 0 && ::GetTempFileNameW(folder, L"thw", 0, name) != 0) {
      path_ = name;
    }
  }
  PictureFile(const PictureFile&) = delete;
  PictureFile(PictureFile&&) = delete;
  PictureFile& operator=(const PictureFile&) = delete;
  PictureFile& operator=(PictureFile&&) = delete;
  ~PictureFile() {
    if (!path_.empty()) {
      ::DeleteFileW(path_.c_str());
    }
  }

  [[nodiscard]] const std::wstring& path() const { return path_; }

 private:
  std::wstring path_;
};

/// What is started in it ends with it, starts nothing itself and gets no more than its memory.
Handle make_job() {
  Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_ACTIVE_PROCESS | JOB_OBJECT_LIMIT_PROCESS_MEMORY |
      JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  limits.BasicLimitInformation.ActiveProcessLimit = 1;
  limits.ProcessMemoryLimit = kMemory;
  if (job &&
      ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof(limits)) == 0) {
    job.reset();
  }
  return job;
}

/// Has thaw.exe draw the picture; false if it could not, or not in time.
bool draw(const std::wstring& model, UINT side, const std::wstring& picture) {
  const std::wstring folder = library_folder();
  const std::wstring program = folder + L"thaw.exe";
  std::wstring line = L"\"" + program + L"\" thumb -q -f --timeout " + std::to_wstring(kPatience / 1000) +
                      L" -s " + std::to_wstring(side) + L" \"" + model + L"\" -o \"" + picture + L"\"";
  const Handle job = make_job();
  STARTUPINFOW start{};
  start.cb = sizeof(start);
  PROCESS_INFORMATION started{};
  constexpr DWORD kFlags = CREATE_NO_WINDOW | CREATE_SUSPENDED | BELOW_NORMAL_PRIORITY_CLASS;
  if (!job || ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, FALSE, kFlags, nullptr,
                               folder.c_str(), &start, &started) == 0) {
    return false;
  }
  const Handle process(started.hProcess);
  const Handle thread(started.hThread);
  DWORD exit = 1;
  const bool limited = ::AssignProcessToJobObject(job.get(), process.get()) != 0;
  const bool ended = limited && ::ResumeThread(thread.get()) != static_cast<DWORD>(-1) &&
                     ::WaitForSingleObject(process.get(), kPatience) == WAIT_OBJECT_0;
  if (!ended) {
    ::TerminateProcess(process.get(), 1);
    ::WaitForSingleObject(process.get(), kPatience);  // it holds the picture's file
  }
  return ended && ::GetExitCodeProcess(process.get(), &exit) != 0 && exit == 0;
}

/// An instance of a class of the system's.
template <typename Interface>
HRESULT create(REFCLSID of, ComPointer<Interface>& out) {
  void* object = nullptr;
  const HRESULT result = ::CoCreateInstance(of, nullptr, CLSCTX_INPROC_SERVER, __uuidof(Interface), &object);
  out.reset(static_cast<Interface*>(object));
  return result;
}

/// The pixels of a PNG, from the top, colours multiplied by alpha.
HRESULT open_picture(const std::wstring& path, ComPointer<IWICBitmapSource>& out) {
  ComPointer<IWICImagingFactory> factory;
  HRESULT result = create(CLSID_WICImagingFactory, factory);
  IWICBitmapDecoder* decoder = nullptr;
  IWICBitmapFrameDecode* frame = nullptr;
  if (SUCCEEDED(result)) {
    result = factory->CreateDecoderFromFilename(path.c_str(), nullptr, GENERIC_READ,
                                                WICDecodeMetadataCacheOnDemand, &decoder);
  }
  const ComPointer<IWICBitmapDecoder> decoder_owner(decoder);
  if (SUCCEEDED(result)) {
    result = decoder->GetFrame(0, &frame);
  }
  const ComPointer<IWICBitmapFrameDecode> frame_owner(frame);
  IWICBitmapSource* converted = nullptr;
  if (SUCCEEDED(result)) {
    result = ::WICConvertBitmapSource(GUID_WICPixelFormat32bppPBGRA, frame, &converted);
  }
  out.reset(converted);
  return result;
}

HRESULT bitmap_of(IWICBitmapSource& picture, HBITMAP& out) {
  UINT width = 0;
  UINT height = 0;
  const HRESULT measured = picture.GetSize(&width, &height);
  if (FAILED(measured) || width == 0 || height == 0 || width > kLargest || height > kLargest) {
    return FAILED(measured) ? measured : E_FAIL;
  }
  BITMAPINFO info{};
  info.bmiHeader.biSize = sizeof(info.bmiHeader);
  info.bmiHeader.biWidth = static_cast<LONG>(width);
  info.bmiHeader.biHeight = -static_cast<LONG>(height);  // from the top
  info.bmiHeader.biPlanes = 1;
  info.bmiHeader.biBitCount = 32;
  info.bmiHeader.biCompression = BI_RGB;
  void* pixels = nullptr;
  HBITMAP bitmap = ::CreateDIBSection(nullptr, &info, DIB_RGB_COLORS, &pixels, nullptr, 0);
  if (bitmap == nullptr) {
    return E_OUTOFMEMORY;
  }
  const HRESULT copied =
      picture.CopyPixels(nullptr, width * 4, width * height * 4, static_cast<BYTE*>(pixels));
  if (FAILED(copied)) {
    ::DeleteObject(bitmap);
    return copied;
  }
  out = bitmap;
  return S_OK;
}

HRESULT picture_of(const std::wstring& model, UINT side, HBITMAP& out) {
  const PictureFile file;
  if (file.path().empty() || !draw(model, std::clamp(side, 16U, kLargest), file.path())) {
    return E_FAIL;
  }
  ComPointer<IWICBitmapSource> picture;
  const HRESULT opened = open_picture(file.path(), picture);
  return FAILED(opened) ? opened : bitmap_of(*picture, out);
}

/// Counts who uses an object; it is gone with the last.
template <typename Object>
class Counted {
 public:
  Counted() { ++g_users; }
  Counted(const Counted&) = delete;
  Counted(Counted&&) = delete;
  Counted& operator=(const Counted&) = delete;
  Counted& operator=(Counted&&) = delete;

  ULONG add() { return static_cast<ULONG>(++count_); }
  ULONG release() {
    const long left = --count_;
    if (left == 0) {
      delete static_cast<Object*>(this);
    }
    return static_cast<ULONG>(left);
  }

 protected:
  ~Counted() { --g_users; }

 private:
  std::atomic<long> count_{1};
};

// By path and not as a stream: a model's textures lie next to it.
class Thumbnails final : public IInitializeWithFile, public IThumbnailProvider, public Counted<Thumbnails> {
 public:
  virtual ~Thumbnails() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID id, void** out) override {
    if (out == nullptr) {
      return E_POINTER;
    }
    *out = nullptr;
    if (id == IID_IUnknown || id == __uuidof(IInitializeWithFile)) {
      *out = static_cast<IInitializeWithFile*>(this);
    } else if (id == __uuidof(IThumbnailProvider)) {
      *out = static_cast<IThumbnailProvider*>(this);
    } else {
      return E_NOINTERFACE;
    }
    add();
    return S_OK;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return add(); }
  ULONG STDMETHODCALLTYPE Release() override { return release(); }

  HRESULT STDMETHODCALLTYPE Initialize(LPCWSTR path, DWORD /*mode*/) override {
    if (path == nullptr) {
      return E_POINTER;
    }
    try {
      model_ = path;
    } catch (const std::bad_alloc&) {
      return E_OUTOFMEMORY;
    }
    return S_OK;
  }

  HRESULT STDMETHODCALLTYPE GetThumbnail(UINT side, HBITMAP* bitmap, WTS_ALPHATYPE* alpha) override {
    if (bitmap == nullptr || alpha == nullptr) {
      return E_POINTER;
    }
    *bitmap = nullptr;
    *alpha = WTSAT_ARGB;
    try {
      return model_.empty() ? E_UNEXPECTED : picture_of(model_, side, *bitmap);
    } catch (const std::bad_alloc&) {
      return E_OUTOFMEMORY;
    }
  }

 private:
  std::wstring model_;
};

class Factory final : public IClassFactory, public Counted<Factory> {
 public:
  virtual ~Factory() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID id, void** out) override {
    if (out == nullptr) {
      return E_POINTER;
    }
    *out = nullptr;
    if (id != IID_IUnknown && id != IID_IClassFactory) {
      return E_NOINTERFACE;
    }
    *out = static_cast<IClassFactory*>(this);
    add();
    return S_OK;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return add(); }
  ULONG STDMETHODCALLTYPE Release() override { return release(); }

  HRESULT STDMETHODCALLTYPE CreateInstance(IUnknown* outer, REFIID id, void** out) override {
    if (outer != nullptr) {
      return CLASS_E_NOAGGREGATION;
    }
    auto* thumbnails = new (std::nothrow) Thumbnails;
    if (thumbnails == nullptr) {
      return E_OUTOFMEMORY;
    }
    const HRESULT result = thumbnails->QueryInterface(id, out);
    thumbnails->Release();
    return result;
  }
  HRESULT STDMETHODCALLTYPE LockServer(BOOL lock) override {
    g_users += lock != FALSE ? 1 : -1;
    return S_OK;
  }
};

}  // namespace
}  // namespace thaw::explorer

extern "C" HRESULT STDAPICALLTYPE DllGetClassObject(REFCLSID of, REFIID id, void** out) {
  if (out == nullptr) {
    return E_POINTER;
  }
  *out = nullptr;
  if (of != thaw::explorer::kClassId) {
    return CLASS_E_CLASSNOTAVAILABLE;
  }
  auto* factory = new (std::nothrow) thaw::explorer::Factory;
  if (factory == nullptr) {
    return E_OUTOFMEMORY;
  }
  const HRESULT result = factory->QueryInterface(id, out);
  factory->Release();
  return result;
}

extern "C" HRESULT STDAPICALLTYPE DllCanUnloadNow() { return thaw::explorer::g_users == 0 ? S_OK : S_FALSE; }
