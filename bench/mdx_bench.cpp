// Reading, writing and inspecting MDX: over a made-up model of 5 MB, and over real files in memory. Real
// files are those that the list in the environment variable THAW_BENCH_LIST names, or all .mdx below
// THAW_CORPUS.
#include <thaw/mdx.hpp>

#include "files.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using namespace thaw;

using bench::FileSet;
using bench::load;

/// Twenty geosets and a hundred bones with Hermite keys, as a large model has them.
Bytes synthetic_model() {
  mdx::Document document;
  document.chunks.push_back({FourCC{"VERS"}, mdx::Version{800}, {}, {}});
  mdx::Geosets geosets;
  for (unsigned i = 0; i < 20; ++i) {
    mdx::Geoset geoset;
    geoset.positions.resize(6000, Vec3{1, 2, 3});
    geoset.normals.resize(6000, Vec3{0, 0, 1});
    geoset.primitive_types = {mdx::PrimitiveType::triangles};
    geoset.primitive_counts = {30000};
    geoset.indices.resize(30000, std::uint16_t{7});
    geoset.vertex_groups.resize(6000, std::uint8_t{0});
    geoset.matrix_groups = {1};
    geoset.matrix_indices = {0};
    geoset.uv_sets.emplace_back().coordinates.resize(6000, Vec2{0.5F, 0.5F});
    geosets.items.push_back(std::move(geoset));
  }
  document.chunks.push_back({FourCC{"GEOS"}, std::move(geosets), {}, {}});
  mdx::Bones bones;
  for (std::int32_t id = 0; id < 100; ++id) {
    mdx::Bone bone;
    bone.node.object_id = id;
    bone.node.tracks.push_back({FourCC{"KGRT"}, mdx::Interpolation::hermite, -1, {}});
    bone.node.tracks.back().words.resize(13U * 100U, 0U);
    bones.items.push_back(std::move(bone));
  }
  document.chunks.push_back({FourCC{"BONE"}, std::move(bones), {}, {}});
  return mdx::write(document);
}

const FileSet& synthetic_set() {
  static const FileSet set = [] {
    FileSet files;
    files.add(synthetic_model());
    return files;
  }();
  return set;
}

const FileSet& real_set() {
  static const FileSet set = [] {
    FileSet files;
    for (const auto& path : bench::real_paths(".mdx")) {
      files.add(load(path));
    }
    return files;
  }();
  return set;
}

using Choice = const FileSet& (*)();

/// False, with the benchmark marked as skipped, if there are no files.
bool begin(benchmark::State& state, const FileSet& set) {
  if (set.files.empty()) {
    state.SkipWithError("no real files: set THAW_CORPUS");
  }
  return !set.files.empty();
}

void finish(benchmark::State& state, const FileSet& set) {
  state.SetBytesProcessed(static_cast<std::int64_t>(set.total) *
                          static_cast<std::int64_t>(state.iterations()));
  state.counters["files"] = static_cast<double>(set.files.size());
  state.counters["bytes"] = static_cast<double>(set.total);
}

std::vector<mdx::Document> documents_of(const FileSet& set) {
  std::vector<mdx::Document> documents;
  for (const auto& file : set.files) {
    Diagnostics diagnostics;
    if (auto document = mdx::read(file, {}, diagnostics)) {
      documents.push_back(std::move(*document));
    }
  }
  return documents;
}

void read_models(benchmark::State& state, Choice choice) {
  const FileSet& set = choice();
  if (!begin(state, set)) {
    return;
  }
  for (auto _ : state) {
    for (const auto& file : set.files) {
      Diagnostics diagnostics;
      benchmark::DoNotOptimize(mdx::read(file, {}, diagnostics));
    }
  }
  finish(state, set);
}

void write_models(benchmark::State& state, Choice choice) {
  const FileSet& set = choice();
  if (!begin(state, set)) {
    return;
  }
  const auto documents = documents_of(set);
  for (auto _ : state) {
    for (const auto& document : documents) {
      benchmark::DoNotOptimize(mdx::write(document));
    }
  }
  finish(state, set);
}

class NullInspector final : public Inspector {
 public:
  std::uint64_t leaves = 0;

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& /*leaf*/) override { ++leaves; }
};

void inspect_models(benchmark::State& state, Choice choice) {
  const FileSet& set = choice();
  if (!begin(state, set)) {
    return;
  }
  const auto documents = documents_of(set);
  for (auto _ : state) {
    for (const auto& document : documents) {
      NullInspector inspector;
      mdx::inspect(document, inspector);
      benchmark::DoNotOptimize(inspector.leaves);
    }
  }
  finish(state, set);
}

/// What no reader that copies can beat.
void copy_bytes(benchmark::State& state, Choice choice) {
  const FileSet& set = choice();
  if (!begin(state, set)) {
    return;
  }
  std::size_t largest = 0;
  for (const auto& file : set.files) {
    largest = std::max(largest, file.size());
  }
  Bytes target(largest);
  for (auto _ : state) {
    for (const auto& file : set.files) {
      std::memcpy(target.data(), file.data(), file.size());
      benchmark::ClobberMemory();
    }
  }
  finish(state, set);
}

BENCHMARK_CAPTURE(copy_bytes, synthetic, synthetic_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_models, synthetic, synthetic_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_models, synthetic, synthetic_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inspect_models, synthetic, synthetic_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(copy_bytes, real, real_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_models, real, real_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_models, real, real_set)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inspect_models, real, real_set)->Unit(benchmark::kMillisecond);
// One pass exactly, for counting instructions.
BENCHMARK_CAPTURE(read_models, once, real_set)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
