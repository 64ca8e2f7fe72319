// Reading and writing MDL over real files in memory: those that the list in the environment variable
// THAW_BENCH_LIST names, or all .mdl below THAW_CORPUS.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "files.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using namespace thaw;

using bench::FileSet;
using bench::load;

const FileSet& real_set() {
  static const FileSet set = [] {
    FileSet files;
    for (const auto& path : bench::real_paths(".mdl")) {
      Bytes bytes = load(path);
      if (mdl::is_mdl(bytes)) {
        files.add(std::move(bytes));
      }
    }
    return files;
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
