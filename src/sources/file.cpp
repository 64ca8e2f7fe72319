#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "describe/limits.hpp"
#include "sources/listing.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#define THAW_POSIX_FILES
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#endif

namespace thaw {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT(cppcoreguidelines-owning-memory)
};
using File = std::unique_ptr<std::FILE, CloseFile>;

#ifdef _WIN32

/// `mode` as fopen has it; the old C library there knows no "x", and takes names of its code page alone.
File open_file(const fs::path& path, const char* mode) {
  const std::string_view flags = mode;
  if (flags.find('x') != std::string_view::npos) {
    const int descriptor =
        ::_wopen(path.c_str(), _O_BINARY | _O_RDWR | _O_CREAT | _O_EXCL, _S_IREAD | _S_IWRITE);
    return File(descriptor < 0 ? nullptr : ::_fdopen(descriptor, "wb"));
  }
  return File(::_wfopen(path.c_str(), std::wstring(flags.begin(), flags.end()).c_str()));
}

bool is_locked(unsigned long error) {
  return error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION;
}

std::string last_error() {
  return is_locked(_doserrno) ? "is open in another program" : std::generic_category().message(errno);
}

/// Scanners and indexers hold a fresh file for a moment: it is tried for a second.
std::error_code move_file(const fs::path& from, const fs::path& to, bool replace) {
  constexpr int kTries = 20;
  constexpr auto kPause = std::chrono::milliseconds(50);
  unsigned long error = 0;
  for (int i = 0; i < kTries; ++i) {
    if (::MoveFileExW(from.c_str(), to.c_str(), replace ? MOVEFILE_REPLACE_EXISTING : 0U) != 0) {
      return {};
    }
    error = ::GetLastError();
    if (error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS) {
      return std::make_error_code(std::errc::file_exists);
    }
    if (!is_locked(error) && error != ERROR_ACCESS_DENIED) {
      break;
    }
    std::this_thread::sleep_for(kPause);
  }
  return is_locked(error) || error == ERROR_ACCESS_DENIED
             ? std::make_error_code(std::errc::device_or_resource_busy)
             : std::error_code(static_cast<int>(error), std::system_category());
}

#else

File open_file(const fs::path& path, const char* mode) { return File(std::fopen(path.c_str(), mode)); }

std::string last_error() { return std::generic_category().message(errno); }

#endif

/// Why a path is no file that can be read, or empty.
std::string obstacle(const fs::path& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::not_found:
      return "no such file";
    case fs::file_type::directory:
      return "is a folder";
    default:
      return error ? error.message() : "is not a regular file";
  }
}

tl::unexpected<Error> write_failure() { return fail(codes::kWriteFailed, last_error()); }

Result<void> put(File file, ByteView bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return write_failure();
  }
  // Closing may be the first to learn that the disk is full.
  if (std::fclose(file.release()) != 0) {  // NOLINT(cppcoreguidelines-owning-memory)
    return write_failure();
  }
  return {};
}

/// The file that is meant in the end: what a link leads to is written anew, the link stays. A link that leads
/// nowhere is nobody's file.
fs::path after_links(const fs::path& path) {
  std::error_code error;
  const bool link = fs::is_symlink(fs::symlink_status(path, error));
  const fs::path real = link ? fs::canonical(path, error) : path;
  return error ? path : real;
}

constexpr std::string_view kTemporary = ".tmp";

/// An unused name next to the target, and the file of that name. Locked as long as it is open, so that
/// `abandoned_files` can recognise it.
File open_temporary(const fs::path& target, fs::path& name) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    name = target;
    std::string hidden(1, '.');
    hidden += target.filename().string() + '.' + std::to_string(i);
    hidden += kTemporary;
    name.replace_filename(hidden);
    if (auto file = open_file(name, "wbx")) {
#ifdef THAW_POSIX_FILES
      ::flock(::fileno(file.get()), LOCK_EX | LOCK_NB);
#endif
      return file;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  return nullptr;
}

std::string why(const std::error_code& error) {
#ifdef _WIN32
  if (error == std::errc::device_or_resource_busy) {
    return "is open in another program";
  }
#endif
  return error.message();
}

/// Gives a file an unused name: of two runs that request it at once, one gets it and the other an error.
std::error_code take_name(const fs::path& from, const fs::path& to) {
#ifdef _WIN32
  return move_file(from, to, false);
#else
  std::error_code error;
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  error.assign(errno, std::generic_category());
  if (error != std::errc::invalid_argument && error != std::errc::function_not_supported) {
    return error;
  }
#endif
  fs::create_hard_link(from, to, error);
  if (!error) {
    fs::remove(from, error);
    return {};
  }
  // A file system without links: an empty file holds the name until the right one is there.
  if (error != std::errc::file_exists && open_file(to, "wbx") != nullptr) {
    fs::rename(from, to, error);
  }
  return error;
#endif
}

/// Gives a file a name that another may have, which is then no more.
std::error_code replace_file(const fs::path& from, const fs::path& to) {
#ifdef _WIN32
  return move_file(from, to, true);
#else
  std::error_code error;
  fs::rename(from, to, error);
  return error;
#endif
}

#ifdef THAW_POSIX_FILES

/// A file that is open for reading, with a number of the system's.
class Descriptor {
 public:
  explicit Descriptor(const fs::path& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (is_open()) {
      ::close(number_);
    }
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Reads at a place without moving anything: threads do not wait for each other.
class FileStorage : public Storage {
 public:
  FileStorage(const fs::path& path, std::uint64_t size) : file_(path), size_(size) {}

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > size_ || out.size() > size_ - offset) {
      return false;
    }
    while (!out.empty()) {
      const auto got = ::pread(file_.number(), out.data(), out.size(), static_cast<off_t>(offset));
      if (got <= 0) {
        if (got < 0 && errno == EINTR) {
          continue;
        }
        return false;
      }
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }

 private:
  Descriptor file_;
  std::uint64_t size_;
};

#else

class FileStorage : public Storage {
 public:
  FileStorage(const fs::path& path, std::uint64_t size) : size_(size) {
    file_.rdbuf()->pubsetbuf(nullptr, 0);  // what is read is requested in one piece
    file_.open(path, std::ios::binary);
  }

  [[nodiscard]] bool is_open() const { return static_cast<bool>(file_); }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > size_ || out.size() > size_ - offset) {
      return false;
    }
    const std::lock_guard lock(mutex_);
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    return file_.good();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::ifstream file_;
  std::uint64_t size_;
};

#endif

}  // namespace

#ifdef _WIN32

std::vector<fs::directory_entry> entries_of(const fs::path& folder, std::error_code& error) {
  std::vector<fs::directory_entry> entries;
  WIN32_FIND_DATAW data{};
  const HANDLE search = ::FindFirstFileExW((folder / L"*").c_str(), FindExInfoBasic, &data,
                                           FindExSearchNameMatch, nullptr, FIND_FIRST_EX_LARGE_FETCH);
  for (bool more = search != INVALID_HANDLE_VALUE; more; more = ::FindNextFileW(search, &data) != 0) {
    const std::wstring_view name = data.cFileName;
    if (name != L"." && name != L"..") {
      std::error_code unknown;
      entries.emplace_back(folder / name, unknown);
    }
  }
  const DWORD end = ::GetLastError();
  if (search != INVALID_HANDLE_VALUE) {
    ::FindClose(search);
  }
  error.clear();
  if (end != ERROR_NO_MORE_FILES && end != ERROR_FILE_NOT_FOUND) {
    error.assign(static_cast<int>(end), std::system_category());
  }
  return entries;
}

bool is_hidden(const fs::path& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return path.filename().wstring().starts_with(L'.') ||
         (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_HIDDEN) != 0);
}

bool is_link(const fs::path& path, std::error_code& error) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  error.clear();
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

#else

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

bool is_link(const fs::path& path, std::error_code& error) { return fs::is_symlink(path, error); }

std::vector<fs::directory_entry> entries_of(const fs::path& folder, std::error_code& error) {
  std::vector<fs::directory_entry> entries;
  fs::directory_iterator at(folder, error);
  while (!error && at != fs::directory_iterator()) {
    entries.push_back(*at);
    at.increment(error);
  }
  return entries;
}

#endif

Result<std::shared_ptr<const Storage>> open_storage(const fs::path& path) {
  if (const std::string why = obstacle(path); !why.empty()) {
    return fail(codes::kInputUnreadable, why);
  }
  std::error_code error;
  const auto size = fs::file_size(path, error);
  auto storage = std::make_shared<FileStorage>(path, size);
  if (error || !storage->is_open()) {
    return fail(codes::kInputUnreadable, error ? error.message() : "cannot be opened");
  }
  return storage;
}

Result<MappedFile> map_file(const fs::path& path) {
  auto bytes = read_file(path, Limits{});
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  const auto shared = std::make_shared<const Bytes>(std::move(*bytes));
  return MappedFile{*shared, shared};
}

Result<Bytes> read_file(const fs::path& path, const Limits& limits) {
  if (const std::string why = obstacle(path); !why.empty()) {
    return fail(codes::kInputUnreadable, why);
  }
  const File file = open_file(path, "rb");
  if (file == nullptr) {
    return fail(codes::kInputUnreadable, last_error());
  }
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // it is read in one piece
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) {
    return fail(codes::kInputUnreadable, error.message());
  }
  if (size > limits.max_input_bytes) {
    return input_too_large(size, limits);
  }
  Bytes bytes(static_cast<std::size_t>(size));
  const std::size_t got = bytes.empty() ? 0 : std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (std::ferror(file.get()) != 0) {
    return fail(codes::kInputUnreadable, last_error());
  }
  bytes.resize(got);  // it may have become shorter in the meantime
  return bytes;
}

namespace {

/// Why nothing may be written there; devices are no obstacle.
Result<void> may_write(const fs::path& path, const fs::file_status& status, bool overwrite) {
  std::error_code error;
  if (fs::is_directory(status)) {
    return fail(codes::kWriteFailed, "is a folder");
  }
  if (fs::exists(status) && !overwrite) {
    return fail(codes::kWriteExists, "already exists");
  }
  if (!fs::exists(status) && !overwrite && fs::is_symlink(fs::symlink_status(path, error))) {
    return fail(codes::kWriteExists, "is a broken symbolic link");
  }
  return {};
}

bool is_special(const fs::file_status& status) {
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

Result<void> take_place(const fs::path& temporary, const fs::path& target, bool overwrite) {
  const std::error_code error = overwrite ? replace_file(temporary, target) : take_name(temporary, target);
  if (!error) {
    return {};
  }
  return error == std::errc::file_exists ? fail(codes::kWriteExists, "already exists")
                                         : fail(codes::kWriteFailed, why(error));
}

/// Keeps other runs that change the file in place from looking at it: who comes second finds it changed.
/// Waits for them, but not for ever.
class InPlaceLock {
 public:
#ifdef THAW_POSIX_FILES
  explicit InPlaceLock(const fs::path& path) : file_(path) {
    constexpr int kTries = 100;
    constexpr auto kPause = std::chrono::milliseconds(20);
    for (int i = 0; i < kTries && (busy_ = fails_to_lock()); ++i) {
      std::this_thread::sleep_for(kPause);
    }
  }
  /// Another run still has it. A file system without locks has none that could.
  [[nodiscard]] bool is_busy() const { return busy_; }

 private:
  [[nodiscard]] bool fails_to_lock() const {
    return file_.is_open() && ::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  }

  Descriptor file_;
  bool busy_ = false;
#else
  explicit InPlaceLock(const fs::path& /*path*/) {}
  [[nodiscard]] static bool is_busy() { return false; }
#endif
};

class TemporaryFile : public FileSink {
 public:
  TemporaryFile(File file, fs::path temporary, fs::path target, bool overwrite,
                std::optional<FileStamp> expected)
      : file_(std::move(file)),
        temporary_(std::move(temporary)),
        target_(std::move(target)),
        overwrite_(overwrite),
        expected_(expected) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() override {
    file_.reset();
    std::error_code error;
    if (!temporary_.empty()) {
      fs::remove(temporary_, error);
    }
  }

  [[nodiscard]] bool append(ByteView bytes) override {
    if (!write(bytes)) {
      return false;
    }
    size_ += bytes.size();
    return true;
  }

  [[nodiscard]] bool patch(std::uint64_t offset, ByteView bytes) override {
    return offset <= size_ && bytes.size() <= size_ - offset && seek(offset) && write(bytes) && seek(size_);
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] Error failure() const override {
    return {codes::kWriteFailed, {}, {}, failure_.empty() ? "cannot write the output" : failure_};
  }

  [[nodiscard]] Result<std::shared_ptr<const Storage>> written() override {
    if (file_ == nullptr || !note(std::fflush(file_.get()) == 0)) {
      return tl::unexpected<Error>(failure());
    }
    return open_storage(temporary_);
  }

  [[nodiscard]] Result<void> commit() override {
    if (file_ == nullptr || !failure_.empty()) {
      return tl::unexpected<Error>(failure());
    }
    // Closing may be the first to learn that the disk is full.
    if (std::fclose(file_.release()) != 0) {  // NOLINT(cppcoreguidelines-owning-memory)
      return write_failure();
    }
    std::optional<InPlaceLock> lock;
    if (expected_) {
      lock.emplace(target_);
      if (lock->is_busy() || stamp_of(target_) != expected_) {
        return fail(codes::kWriteChanged,
                    "Another program changed the file after it was read. Nothing was written. Run the "
                    "command again.");
      }
    }
    auto placed = take_place(temporary_, target_, overwrite_);
    if (placed) {
      temporary_.clear();
    }
    return placed;
  }

 private:
  bool seek(std::uint64_t offset) {
#ifdef _WIN32
    return note(_fseeki64(file_.get(), static_cast<std::int64_t>(offset), SEEK_SET) == 0);
#else
    return note(fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0);
#endif
  }
  bool write(ByteView bytes) {
    return file_ != nullptr && failure_.empty() &&
           note(bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size());
  }
  bool note(bool good) {
    if (!good) {
      failure_ = last_error();
    }
    return good;
  }

  File file_;
  fs::path temporary_;
  fs::path target_;
  bool overwrite_;
  std::optional<FileStamp> expected_;
  std::uint64_t size_ = 0;
  std::string failure_;
};

}  // namespace

namespace {

/// `.NAME.NUMBER.tmp`, as `open_temporary` calls them.
bool is_temporary(const fs::path& path) {
  const std::string number = path.stem().extension().string();
  return path.extension() == kTemporary && path.filename().string().starts_with('.') && number.size() > 1 &&
         number.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// Whether no process has it open.
bool is_abandoned(const fs::path& path) {
#ifdef _WIN32
  const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  return file != INVALID_HANDLE_VALUE && ::CloseHandle(file) != 0;
#else
  const Descriptor file(path);
  return file.is_open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
#endif
}

}  // namespace

std::vector<fs::path> abandoned_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : entries_of(folder, error)) {
    std::error_code unknown;
    if (is_temporary(entry.path()) && entry.is_regular_file(unknown) && is_abandoned(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::unique_ptr<FileSink>> open_output(const fs::path& path, bool overwrite,
                                              const std::optional<FileStamp>& expected) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (is_special(status)) {
    return fail(codes::kWriteFailed, "is not a regular file");
  }
  if (auto may = may_write(path, status, overwrite); !may) {
    return tl::unexpected<Error>(std::move(may.error()));
  }
  const fs::path target = after_links(path);
  fs::path temporary;
  File file = open_temporary(target, temporary);
  if (file == nullptr) {
    return write_failure();
  }
  if (fs::exists(status)) {
    // Before there is any content: who may not read the old file shall not read the new one. Not all file
    // systems know of modes.
    fs::permissions(temporary, status.permissions(), error);
  }
  return std::make_unique<TemporaryFile>(std::move(file), std::move(temporary), target, overwrite, expected);
}

std::optional<FileStamp> stamp_of(const fs::path& path) {
#ifdef THAW_POSIX_FILES
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  const std::uint64_t volume = status.st_dev;
  const std::uint64_t index = status.st_ino;
#else
  constexpr std::uint64_t volume = 0;
  constexpr std::uint64_t index = 0;
#endif
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  const auto size = error ? 0 : fs::file_size(path, error);
  return error ? std::nullopt
               : std::optional(FileStamp{volume, index, size,
                                         static_cast<std::int64_t>(time.time_since_epoch().count())});
}

Result<void> write_file(const fs::path& path, ByteView bytes, bool overwrite,
                        const std::optional<FileStamp>& expected) {
  std::error_code error;
  if (is_special(fs::status(path, error))) {
    // A device or pipe is written to; renaming a file over it would destroy it.
    File file = open_file(path, "wb");
    return file == nullptr ? write_failure() : put(std::move(file), bytes);
  }
  auto output = open_output(path, overwrite, expected);
  if (!output) {
    return tl::unexpected<Error>(std::move(output.error()));
  }
  return (*output)->append(bytes) ? (*output)->commit() : tl::unexpected<Error>((*output)->failure());
}

}  // namespace thaw
