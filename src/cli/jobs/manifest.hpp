// Lists of a client's original files: a path, a tab and an MD5 per line.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include "bytes/hash.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thaw::cli {

class Manifest {
 public:
  /// Lines of another form are left out. The error is that of the file, or that it has no line of the form.
  static Result<Manifest> load(const std::filesystem::path& path, const Limits& limits);

  /// Paths of the files with this content, as listed; several files may have the same.
  [[nodiscard]] std::vector<std::string> find(ByteView content) const;

 private:
  std::vector<std::pair<std::string, std::string>> files_;  ///< digits and path, sorted
};

}  // namespace thaw::cli
