// Buildings: reading, writing, as scenes and as GLB, over a made-up group of 20,000 faces. Bytes are those of
// the file.
#include <thaw/gltf.hpp>
#include <thaw/wmo.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace thaw;

constexpr std::size_t kFaces = 20000;

template <class Body>
void add(std::vector<wmo::Chunk>& chunks, FourCC tag, Body body) {
  chunks.push_back({tag, std::move(body), {}, {}});
}

/// A strip of triangles in batches of 1,000 faces.
wmo::Group large_group() {
  wmo::Group group;
  group.header.flags = wmo::GroupHeader::kExterior;
  wmo::Faces faces;
  wmo::Points positions;
  wmo::Points normals;
  wmo::Coordinates coordinates;
  wmo::Indices indices;
  wmo::Batches batches;
  for (std::size_t corner = 0; corner < 3 * kFaces; ++corner) {
    const auto x = static_cast<float>(corner / 3 + corner % 3);
    positions.items.push_back({x, corner % 3 == 1 ? 1.0F : 0.0F, 0});
    normals.items.push_back({0, 0, 1});
    coordinates.items.push_back({x, 0});
    indices.items.push_back(static_cast<std::uint16_t>(corner));
  }
  for (std::size_t face = 0; face < kFaces; ++face) {
    faces.items.push_back({wmo::Faces::kRender, 0xFF, 0, 0});
  }
  for (std::uint32_t first = 0; first < 3 * kFaces; first += 3000) {
    wmo::Batch batch;
    batch.first_index = first;
    batch.index_count = 3000;
    batch.first_vertex = static_cast<std::uint16_t>(first);
    batch.last_vertex = static_cast<std::uint16_t>(first + 2999);
    batches.items.push_back(batch);
  }
  add(group.chunks, FourCC{"MOPY"}, std::move(faces));
  add(group.chunks, FourCC{"MOVT"}, std::move(positions));
  add(group.chunks, FourCC{"MONR"}, std::move(normals));
  add(group.chunks, FourCC{"MOTV"}, std::move(coordinates));
  add(group.chunks, FourCC{"MOIN"}, std::move(indices));
  add(group.chunks, FourCC{"MOBA"}, std::move(batches));
  return group;
}

wmo::Document large_building() {
  wmo::Document document;
  add(document.chunks, FourCC{"MVER"}, wmo::Version{wmo::kAlphaVersion});
  wmo::Root root;
  add(root.chunks, FourCC{"MOHD"}, wmo::Header{});
  add(root.chunks, FourCC{"MOMT"}, wmo::Materials{{wmo::Material{}}});
  add(root.chunks, FourCC{"MOGI"}, wmo::GroupInfos{{wmo::GroupInfo{}}});
  add(document.chunks, FourCC{"MOMO"}, std::move(root));
  add(document.chunks, FourCC{"MOGP"}, large_group());
  wmo::lay_out(document);
  return document;
}

const Bytes& file() {
  static const Bytes bytes = wmo::write(large_building());
  return bytes;
}

void count(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file().size()));
}

void wmo_read(benchmark::State& state) {
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(wmo::read(file(), {}, diagnostics));
  }
  count(state);
}
BENCHMARK(wmo_read);

void wmo_write(benchmark::State& state) {
  const wmo::Document document = large_building();
  for (auto _ : state) {
    benchmark::DoNotOptimize(wmo::write(document));
  }
  count(state);
}
BENCHMARK(wmo_write);

void wmo_to_glb(benchmark::State& state) {
  const wmo::Document document = large_building();
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto scene = wmo::to_scene(document, {}, "bench", {}, diagnostics);
    benchmark::DoNotOptimize(write_gltf(*scene, {}, diagnostics));
  }
  count(state);
}
BENCHMARK(wmo_to_glb);

void wmo_to_later(benchmark::State& state) {
  const wmo::Document document = large_building();
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(wmo::to_later(document, {}, diagnostics));
  }
  count(state);
}
BENCHMARK(wmo_to_later);

}  // namespace
