// Names of files by number: World of Warcraft's listfiles, `id;path` in each line.
#pragma once

#include <thaw/bytes.hpp>

#include "cli/arguments/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thaw::cli {

/// Reads the listfiles at once: they count towards no file's --timeout. Those that cannot be read are silent
/// here, `check_listfiles` has reported them. Safe to use from several threads.
class FileIds {
 public:
  explicit FileIds(const SourceSettings& settings);

  /// The path of a FileDataID; empty if no listfile names it. Of several the last counts.
  [[nodiscard]] std::string path_of(std::uint32_t id) const;

 private:
  struct Entry {
    std::uint32_t id = 0;
    std::size_t file = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  void index(std::size_t file);

  std::vector<Bytes> contents_;
  std::vector<Entry> entries_;
};

/// Says which --listfile cannot be read; empty if all is well.
std::string check_listfiles(const SourceSettings& settings);

}  // namespace thaw::cli
