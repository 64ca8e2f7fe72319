// TARGET [--mutants N] PATH…: runs a fuzz target over files and directories of files, in a fixed order,
// without libFuzzer; with N mutants of each, always the same.
#include "structure.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void run(std::size_t& count, const std::uint8_t* data, std::size_t size) {
  LLVMFuzzerTestOneInput(data, size);
  ++count;
}

/// Larger files are run as they are: a mutant is as large again.
constexpr std::size_t kMostMutated = std::size_t{1} << 17U;

void run_mutants(std::size_t& count, const std::vector<std::uint8_t>& bytes, std::uint32_t mutants) {
  if (bytes.size() > kMostMutated) return;
  for (std::uint32_t seed = 1; seed <= mutants; ++seed) {
    if (const auto mutant = thaw::fuzz::mutate(bytes, 2 * kMostMutated, seed)) {
      const std::vector<std::uint8_t> exact(mutant->begin(), mutant->end());
      run(count, exact.data(), exact.size());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::uint32_t mutants = 0;
  if (arguments.size() >= 2 && arguments.front() == "--mutants") {
    mutants = static_cast<std::uint32_t>(std::stoul(arguments[1]));
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  std::size_t count = 0;
  run(count, nullptr, 0);
  for (const std::string& argument : arguments) {
    if (!fs::exists(argument)) {
      std::printf("no corpus at %s\n", argument.c_str());
      continue;
    }
    for (const fs::path& file : files_of(argument)) {
      std::ifstream stream(file, std::ios::binary);
      if (!stream) {
        std::printf("cannot read %s\n", file.c_str());
        return 1;
      }
      const std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
      // Named before the run: a crash leaves the culprit as the last line.
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);
      // An exact allocation, so that a sanitizer sees the first byte behind the end.
      const std::vector<std::uint8_t> bytes(content.begin(), content.end());
      run(count, bytes.data(), bytes.size());
      run_mutants(count, bytes, mutants);
    }
  }
  std::printf("%zu inputs\n", count);
  return 0;
}
