// Reading and writing M3 over a made-up model of 5 MB, beside a copy of its bytes.
#include <thaw/m3.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace thaw;

/// Streams as the game's models have them, for 65,536 vertices in twelve geosets.
Bytes synthetic_model() {
  constexpr std::size_t kVertices = 65536;
  m3::Mesh mesh;
  const auto add = [&](FourCC tag, m3::ElementFormat format, m3::Elements elements) {
    mesh.chunks.push_back({tag, m3::Buffer{{m3::element_tag(format), 0}, std::move(elements)}, {}, {}});
  };
  mesh.chunks.push_back({FourCC{"M3VR"}, m3::MeshVersion{{4, 0}}, {}, {}});
  add(FourCC{"VPOS"}, m3::ElementFormat::f32x3, Array<Vec3>(kVertices, Vec3{1, 2, 3}));
  add(FourCC{"VNML"}, m3::ElementFormat::f32x3, Array<Vec3>(kVertices, Vec3{0, 0, 1}));
  add(FourCC{"VUV0"}, m3::ElementFormat::f32x2, Array<Vec2>(kVertices, Vec2{0.5F, 0.5F}));
  add(FourCC{"VUV1"}, m3::ElementFormat::f32x2, Array<Vec2>(kVertices, Vec2{0.5F, 0.5F}));
  add(FourCC{"VTAN"}, m3::ElementFormat::f32x4, Array<Vec4>(kVertices, Vec4{1, 0, 0, 1}));
  add(FourCC{"VINX"}, m3::ElementFormat::u16x1, Array<std::uint16_t>(kVertices * 6, std::uint16_t{7}));
  m3::Geosets geosets;
  geosets.long_records = true;
  geosets.properties.count = 12;
  geosets.items.resize(12);
  mesh.chunks.push_back({FourCC{"VGEO"}, std::move(geosets), {}, {}});
  m3::Document document;
  document.chunks.push_back({FourCC{"M3DT"}, m3::ModelHeader(), {}, {}});
  document.chunks.push_back({FourCC{"MES3"}, std::move(mesh), {}, {}});
  return m3::write(document);
}

void finish(benchmark::State& state, std::size_t size) {
  state.SetBytesProcessed(static_cast<std::int64_t>(size) * static_cast<std::int64_t>(state.iterations()));
}

void read_model(benchmark::State& state) {
  const Bytes bytes = synthetic_model();
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(m3::read(bytes, {}, diagnostics));
  }
  finish(state, bytes.size());
}

void write_model(benchmark::State& state) {
  const Bytes bytes = synthetic_model();
  Diagnostics diagnostics;
  const auto document = m3::read(bytes, {}, diagnostics);
  for (auto _ : state) {
    benchmark::DoNotOptimize(m3::write(*document));
  }
  finish(state, bytes.size());
}

/// What no reader that copies can beat.
void copy_bytes(benchmark::State& state) {
  const Bytes bytes = synthetic_model();
  Bytes target(bytes.size());
  for (auto _ : state) {
    std::memcpy(target.data(), bytes.data(), bytes.size());
    benchmark::ClobberMemory();
  }
  finish(state, bytes.size());
}

BENCHMARK(copy_bytes)->Name("m3_copy")->Unit(benchmark::kMillisecond);
BENCHMARK(read_model)->Name("m3_read")->Unit(benchmark::kMillisecond);
BENCHMARK(write_model)->Name("m3_write")->Unit(benchmark::kMillisecond);

}  // namespace
