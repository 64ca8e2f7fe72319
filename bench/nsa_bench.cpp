// Decoding of Forgelight animations. Items are channel samples: one value of one channel at one moment; bytes
// are those of the rows that are decoded. Beside it a plain copy of as many bytes as come out.
#include <thaw/nsa.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

namespace {

using namespace thaw;

constexpr std::uint16_t kChannels = 80;
constexpr std::uint32_t kSamples = 600;  // twenty seconds

/// A body of which every bone turns and a quarter also move.
nsa::Document animation() {
  nsa::Clip clip;
  clip.rate = 30;
  clip.duration = static_cast<float>(kSamples - 1) / 30;
  clip.channels = kChannels;
  clip.samples = kSamples;
  for (std::uint16_t channel = 0; channel < kChannels; ++channel) {
    nsa::RotationTrack& rotation = clip.rotations.emplace_back();
    rotation.channel = channel;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const auto angle = static_cast<float>(std::sin(0.1 * i + channel));
      rotation.values.push_back({std::sin(angle), 0, 0, std::cos(angle)});
    }
    if (channel % 4 == 0) {
      nsa::VectorTrack& translation = clip.translations.emplace_back();
      translation.channel = channel;
      for (std::uint32_t i = 0; i < kSamples; ++i) {
        translation.values.push_back({static_cast<float>(std::sin(0.1 * i)), 1, 0});
      }
    }
  }
  return nsa::from_curves(clip, {}).value().document;
}

constexpr std::size_t kValues = std::size_t{kSamples} * (kChannels + kChannels / 4);

void thaw_nsa_decode(benchmark::State& state) {
  const nsa::Document document = animation();
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(nsa::decode(document, diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kValues));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(nsa::write(document).size()));
}
BENCHMARK(thaw_nsa_decode);

void thaw_nsa_read(benchmark::State& state) {
  const Bytes bytes = nsa::write(animation());
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(nsa::read(bytes, {}, diagnostics));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(thaw_nsa_read);

void memcpy_nsa(benchmark::State& state) {
  // What decoding has to write at least.
  const Bytes from(kSamples * (kChannels * sizeof(Vec4) + kChannels / 4 * sizeof(Vec3)), 1);
  for (auto _ : state) {
    Bytes to(from);
    benchmark::DoNotOptimize(to.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kValues));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(from.size()));
}
BENCHMARK(memcpy_nsa);

}  // namespace
