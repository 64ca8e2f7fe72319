// Names of files by number: World of Warcraft's listfiles, `id;path` in each line.
#pragma once

#include <thaw/bytes.hpp>

#include "cli/settings.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace thaw::cli {

/// Reads the listfiles when the first name is asked for. Safe to use from several threads.
class FileIds {
 public:
  explicit FileIds(const Settings& settings) : files_(settings.listfiles) {}

  /// The path of a FileDataID; empty if no listfile names it. Of several the last counts.
  [[nodiscard]] std::string path_of(std::uint32_t id);

 private:
  struct Entry {
    std::uint32_t id = 0;
    std::size_t file = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  void load();
  void index(std::size_t file);

  std::vector<std::string> files_;
  std::mutex mutex_;
  bool loaded_ = false;
  std::vector<Bytes> contents_;
  std::vector<Entry> entries_;
};

}  // namespace thaw::cli
