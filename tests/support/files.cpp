#include "support/files.hpp"

#include <thaw/format.hpp>

#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace thaw::test {

Bytes load(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  EXPECT_TRUE(stream) << path;
  if (!stream) {
    return {};
  }
  Bytes bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(stream) << path;
  return bytes;
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory,
                                               const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    std::string lowered = entry.path().extension().string();
    std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (entry.is_regular_file() && lowered == extension) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::filesystem::path> warcraft_samples() {
  auto files = files_below(samples_dir(), ".mdx");
  files.erase(std::remove_if(files.begin(), files.end(),
                             [](const auto& file) { return identify(load(file)).dialect != "wc3"; }),
              files.end());
  return files;
}

}  // namespace thaw::test
