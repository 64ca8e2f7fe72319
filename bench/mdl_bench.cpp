// Reading and writing MDL over real files in memory: those that the list in the environment variable
// THAW_BENCH_LIST names, or all .mdl below THAW_CORPUS.
#include <thaw/mdl.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using namespace thaw;

struct FileSet {
  std::vector<Bytes> files;
  std::size_t total = 0;
};

Bytes load(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  Bytes bytes(static_cast<std::size_t>(std::max<std::streamoff>(0, stream.tellg())));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

std::vector<fs::path> real_paths() {
  std::vector<fs::path> paths;
  if (const char* list = std::getenv("THAW_BENCH_LIST")) {
    std::ifstream stream(list);
    for (std::string line; std::getline(stream, line);) {
      paths.emplace_back(line);
    }
  } else if (const char* corpus = std::getenv("THAW_CORPUS")) {
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
      if (entry.is_regular_file() && entry.path().extension() == ".mdl") {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
  }
  return paths;
}

const FileSet& real_set() {
  static const FileSet set = [] {
    FileSet made;
    for (const auto& path : real_paths()) {
      Bytes bytes = load(path);
      if (mdl::is_mdl(bytes)) {
        made.total += bytes.size();
        made.files.push_back(std::move(bytes));
      }
    }
    return made;
  }();
  return set;
}

bool begin(benchmark::State& state) {
  if (real_set().files.empty()) {
    state.SkipWithError("no real files: set THAW_CORPUS");
  }
  return !real_set().files.empty();
}

void finish(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  state.counters["files"] = static_cast<double>(real_set().files.size());
  state.counters["bytes"] = static_cast<double>(bytes);
}

void read_texts(benchmark::State& state) {
  if (!begin(state)) {
    return;
  }
  for (auto _ : state) {
    for (const auto& file : real_set().files) {
      Diagnostics diagnostics;
      auto document = mdl::read(file, {}, diagnostics);
      benchmark::DoNotOptimize(document);
    }
  }
  finish(state, real_set().total);
}

void write_texts(benchmark::State& state) {
  if (!begin(state)) {
    return;
  }
  std::vector<mdx::Document> documents;
  std::size_t bytes = 0;
  for (const auto& file : real_set().files) {
    Diagnostics diagnostics;
    if (auto document = mdl::read(file, {}, diagnostics)) {
      bytes += mdl::write(*document).size();
      documents.push_back(std::move(*document));
    }
  }
  for (auto _ : state) {
    for (const auto& document : documents) {
      Bytes text = mdl::write(document);
      benchmark::DoNotOptimize(text);
    }
  }
  finish(state, bytes);
}

BENCHMARK(read_texts)->Name("read_texts/real")->Unit(benchmark::kMillisecond);
BENCHMARK(write_texts)->Name("write_texts/real")->Unit(benchmark::kMillisecond);

}  // namespace
