// Files in memory, for benchmarks of readers.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::bench {

struct FileSet {
  std::vector<Bytes> files;
  std::size_t total = 0;  ///< bytes

  void add(Bytes bytes) {
    total += bytes.size();
    files.push_back(std::move(bytes));
  }
};

inline Bytes load(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  Bytes bytes(static_cast<std::size_t>(std::max<std::streamoff>(0, stream.tellg())));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// The files that THAW_BENCH_LIST lists, one per line, else those of an extension below THAW_CORPUS, or all.
inline std::vector<std::filesystem::path> real_paths(std::string_view extension = {}) {
  std::vector<std::filesystem::path> paths;
  if (const char* list = std::getenv("THAW_BENCH_LIST")) {
    std::ifstream stream(list);
    for (std::string line; std::getline(stream, line);) {
      paths.emplace_back(line);
    }
  } else if (const char* corpus = std::getenv("THAW_CORPUS")) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
      if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension)) {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
  }
  return paths;
}

}  // namespace thaw::bench
