// Every format that has a document: read and written back as a whole, over the real files below THAW_CORPUS,
// in memory and on one thread. The limit is a copy of the same bytes.
#include <thaw/format.hpp>

#include <benchmark/benchmark.h>

#include "files.hpp"

#include <cstring>
#include <map>

namespace thaw {
namespace {

using Files = std::map<std::string, bench::FileSet, std::less<>>;

/// By the names of formats; only what reads.
const Files& files_by_format() {
  static const Files kFiles = [] {
    Files found;
    for (const auto& path : bench::real_paths()) {
      Bytes bytes = bench::load(path);
      Diagnostics ignored;
      if (const auto document = read_any(bytes, {}, ignored)) {
        found[std::string(document->identity().format.id())].add(std::move(bytes));
      }
    }
    return found;
  }();
  return kFiles;
}

void count(benchmark::State& state, const bench::FileSet& set) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(set.total));
  state.counters["files"] = static_cast<double>(set.files.size());
  state.counters["bytes"] = static_cast<double>(set.total);
}

void read_files(benchmark::State& state, const bench::FileSet& set) {
  for (auto _ : state) {
    for (const Bytes& bytes : set.files) {
      Diagnostics ignored;
      benchmark::DoNotOptimize(read_any(bytes, {}, ignored));
    }
  }
  count(state, set);
}

void write_files(benchmark::State& state, const bench::FileSet& set) {
  std::vector<AnyDocument> documents;
  for (const Bytes& bytes : set.files) {
    Diagnostics ignored;
    documents.push_back(*read_any(bytes, {}, ignored));
  }
  for (auto _ : state) {
    for (const auto& document : documents) {
      benchmark::DoNotOptimize(write_any(document));
    }
  }
  count(state, set);
}

void copy_files(benchmark::State& state, const bench::FileSet& set) {
  Bytes copy;
  for (const Bytes& bytes : set.files) {
    copy.resize(std::max(copy.size(), bytes.size()));
  }
  for (auto _ : state) {
    for (const Bytes& bytes : set.files) {
      std::memcpy(copy.data(), bytes.data(), bytes.size());
      benchmark::DoNotOptimize(copy.data());
      benchmark::ClobberMemory();
    }
  }
  count(state, set);
}

/// At the start of the program, because what there is to measure depends on the files.
const bool kRegistered = [] {
  for (const auto& [name, set] : files_by_format()) {
    const auto add = [&](const char* what, void (*run)(benchmark::State&, const bench::FileSet&)) {
      benchmark::RegisterBenchmark((std::string(what) + '/' + name).c_str(),
                                   [run, &set = set](benchmark::State& state) { run(state, set); });
    };
    add("read", read_files);
    add("write", write_files);
    add("copy", copy_files);
  }
  return true;
}();

}  // namespace
}  // namespace thaw
