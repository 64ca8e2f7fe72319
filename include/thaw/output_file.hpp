// A file that is written piece by piece and is there as a whole or not at all.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/sink.hpp>
#include <thaw/sources.hpp>
#include <thaw/storage.hpp>

#include <filesystem>
#include <memory>

#pragma GCC visibility push(default)

namespace thaw {

/// Writes to a temporary file beside the target, as `write_file` does.
class FileSink : public Sink {
 public:
  /// Gives the file its name. Without it, nothing is left behind.
  [[nodiscard]] virtual Result<void> commit() = 0;
  /// What was written so far, to be read again before it has its name.
  [[nodiscard]] virtual Result<std::shared_ptr<const Storage>> written() = 0;
  /// Why a write failed.
  [[nodiscard]] virtual Error failure() const = 0;
};

/// The errors are those of `write_file`. Devices are refused: what is written is patched later.
Result<std::unique_ptr<FileSink>> open_output(const std::filesystem::path& path, bool overwrite,
                                              const std::optional<FileStamp>& expected = {});

}  // namespace thaw

#pragma GCC visibility pop
