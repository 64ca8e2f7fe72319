#include "command.hpp"

#include "cli/main.hpp"
#include "require.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace thaw::fuzz {
namespace {

namespace fs = std::filesystem;

fs::path make_workplace() {
  std::error_code error;
  std::string name = (fs::is_directory("/dev/shm", error) ? "/dev/shm" : fs::temp_directory_path().string()) +
                     "/thaw-fuzz-XXXXXX";
  require(mkdtemp(name.data()) != nullptr, "no folder for commands\n");
  for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME", "TMPDIR"}) {
    setenv(variable, name.c_str(), 1);
  }
  setenv("NO_COLOR", "1", 1);
  std::atexit([] {
    std::error_code ignored;
    fs::remove_all(workplace(), ignored);
  });
  return name;
}

/// What goes to a descriptor while it is there.
class Caught {
 public:
  explicit Caught(int descriptor)
      : descriptor_(descriptor), before_(dup(descriptor)), file_(memfd_create("caught", 0)) {
    dup2(file_, descriptor_);
  }
  Caught(const Caught&) = delete;
  Caught(Caught&&) = delete;
  Caught& operator=(const Caught&) = delete;
  Caught& operator=(Caught&&) = delete;
  ~Caught() {
    dup2(before_, descriptor_);
    close(before_);
    close(file_);
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (off_t at = 0;;) {
      const ssize_t got = pread(file_, buffer.data(), buffer.size(), at);
      if (got <= 0) {
        return text;
      }
      text.append(buffer.data(), static_cast<std::size_t>(got));
      at += got;
    }
  }

 private:
  int descriptor_;
  int before_;
  int file_;
};

Ran caught_run(const std::vector<std::string>& words) {
  std::fflush(stdout);
  const Caught out(STDOUT_FILENO);
  const Caught err(STDERR_FILENO);
  const int exit = cli::run_words(words);
  return {exit, out.text(), err.text()};
}

}  // namespace

const fs::path& workplace() {
  static const auto* const kPlace =
      new fs::path(make_workplace());  // there until what removes the folder ran
  return *kPlace;
}

void put_file(const fs::path& path, ByteView content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as the stream takes them
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

Ran run(const std::vector<std::string>& words) {
  workplace();
  const Ran ran = caught_run(words);
  const bool documented = ran.exit >= 0 && ran.exit <= 6;
  require(documented, (ran.err + "an exit code that is not documented\n").c_str());
  return ran;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_directory()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool steers(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
  });
}

}  // namespace thaw::fuzz
