#include "lights.hpp"

namespace thaw::samples {
namespace {

using lit::Values;

constexpr float kPerYard = 36;

struct Marker {
  std::int32_t hour = 0;
  std::uint32_t color = 0;
};

void set_track(Values& values, std::size_t track, std::initializer_list<Marker> markers) {
  std::size_t at = 0;
  for (const Marker& marker : markers) {
    values.tracks[track].words[2 * at] = static_cast<std::uint32_t>(marker.hour) * 120;
    values.tracks[track].words[2 * at + 1] = marker.color;
    ++at;
  }
  values.counts[track] = static_cast<std::int32_t>(at);
}

/// `reach` yards of clear sight at noon.
Values day(std::uint32_t noon, std::uint32_t haze, float reach, float start) {
  Values values;
  values.counts.assign(lit::kMostTracks, 0);
  values.tracks.resize(lit::kMostTracks);
  for (auto& track : values.tracks) {
    track.words.assign(lit::kSlots * 2, 0);
  }
  set_track(values, 0, {{0, 0x303048}, {6, 0xC08050}, {12, noon}, {18, 0xD07040}, {22, 0x383850}});
  set_track(values, 1, {{0, 0x181830}, {6, 0x605868}, {12, 0x707880}, {20, 0x403848}});
  for (std::size_t band = 2; band < 7; ++band) {
    const auto blue = static_cast<std::uint32_t>(0xE0 - 0x10 * band);
    set_track(values, band, {{0, 0x000818}, {12, 0x5080U << 8U | blue}});
  }
  set_track(values, 7, {{0, 0x101828}, {7, 0xA09088}, {12, haze}, {19, 0xB08870}});
  set_track(values, 8, {{0, 0x404040}, {12, 0x808080}});
  for (std::size_t track = 9; track < lit::kMostTracks; ++track) {
    set_track(values, track, {{0, 0x202830}, {12, 0xC0D0D8}});
  }
  // Ocean and river, each shallow and deep, which are the colours of their water.
  constexpr std::array<std::uint32_t, 4> kWater = {0x2F6F86, 0x123E5C, 0x4A7F86, 0x1F5468};
  for (std::size_t i = 0; i < kWater.size(); ++i) {
    set_track(values, 14 + i, {{0, 0x081820}, {12, kWater.at(i)}});
  }
  const std::array<float, 4> shares = {0.6F, 0.8F, 1, 0.9F};  // midnight, morning, noon, evening
  for (std::size_t slot = 0; slot < shares.size(); ++slot) {
    values.fog_end.at(slot) = reach * shares.at(slot) * kPerYard;
    values.fog_start_scaler.at(slot) = start;
  }
  values.highlight_sky = 1;
  return values;
}

void add(lit::Document& document, const lit::Light& light, const Values& clear, const Values& storm) {
  document.lights.push_back(light);
  document.values.insert(document.values.end(), {clear, storm, day(0x406070, 0x204850, 60, -0.5F),
                                                 day(0x304850, 0x183840, 40, -0.5F)});
  document.light_count = static_cast<std::int32_t>(document.lights.size());
}

}  // namespace

lit::Document lights() {
  lit::Document document;
  lit::Light whole;
  whole.chunk_x = whole.chunk_y = whole.chunk_radius = -1;
  whole.name.assign("Day");
  add(document, whole, day(0xFFF8E0, 0xC8D4DC, 500, 0.25F), day(0x909AA0, 0x808890, 220, 0.1F));
  lit::Light glade;
  glade.position = {17000 * kPerYard, 20 * kPerYard, 17000 * kPerYard};
  glade.radius = 80 * kPerYard;
  glade.dropoff = 60 * kPerYard;
  glade.name.assign("Glade");
  add(document, glade, day(0xB0FFB0, 0x80B088, 180, 0), day(0x80A080, 0x607868, 120, 0));
  return document;
}

}  // namespace thaw::samples
