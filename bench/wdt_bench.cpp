// Maps: opening one and listing its tiles, and one tile, as maps grow.
#include <thaw/sources.hpp>
#include <thaw/wdt.hpp>

#include <benchmark/benchmark.h>
#include <unistd.h>
#include <fstream>

#include "terrain.hpp"

namespace thaw {
namespace {

namespace fs = std::filesystem;

/// A continent in a file of its own, gone when the program ends.
class Continent {
 public:
  explicit Continent(std::size_t tiles)
      : path_(fs::temp_directory_path() /
              ("thaw-continent-" + std::to_string(tiles) + '-' + std::to_string(getpid()) + ".wdt")) {
    std::ofstream stream(path_, std::ios::binary);
    samples::write_continent(tiles, [&](ByteView bytes) {
      stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    });
  }
  Continent(const Continent&) = delete;
  Continent(Continent&&) = delete;
  Continent& operator=(const Continent&) = delete;
  Continent& operator=(Continent&&) = delete;
  ~Continent() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

  [[nodiscard]] wdt::World open() const {
    Diagnostics findings;
    return *wdt::open(*open_storage(path_), {}, findings);
  }

 private:
  fs::path path_;
};

void open_and_list(benchmark::State& state) {
  const Continent continent(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const auto world = continent.open();
    Diagnostics findings;
    std::size_t placements = 0;
    for (const auto& [x, y] : world.tiles()) {
      placements += world.tile_head(x, y, findings)->doodads.size();
    }
    benchmark::DoNotOptimize(placements);
  }
}
BENCHMARK(open_and_list)->Name("wdt/open and list tiles")->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

void one_tile(benchmark::State& state) {
  const Continent continent(static_cast<std::size_t>(state.range(0)));
  const auto world = continent.open();
  const auto middle = world.tiles().at(world.tiles().size() / 2);
  for (auto _ : state) {
    Diagnostics findings;
    const auto tile = world.tile(middle.x, middle.y, findings);
    benchmark::DoNotOptimize(tile->chunks.size());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(world.tile_size(middle.x, middle.y)));
}
BENCHMARK(one_tile)->Name("wdt/one tile")->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thaw
