#include <thaw/world.hpp>

#include <cmath>

namespace thaw::world {
namespace {

constexpr double kPerYard = 36;
constexpr std::size_t kFogTrack = 7;

double mix(double a, double b, double weight) { return a + (b - a) * weight; }
float mixed(float a, float b, double weight) { return static_cast<float>(mix(double{a}, double{b}, weight)); }

Vec3 mixed(const Vec3& a, const Vec3& b, double weight) {
  return {mixed(a[0], b[0], weight), mixed(a[1], b[1], weight), mixed(a[2], b[2], weight)};
}

Fog mixed(const Fog& a, const Fog& b, double weight) {
  return {mixed(a.start, b.start, weight), mixed(a.end, b.end, weight), mixed(a.color, b.color, weight)};
}

template <class T>
void mix_into(std::optional<T>& base, const std::optional<T>& over, double weight) {
  if (over) {
    base = base ? mixed(*base, *over, weight) : *over;
  }
}

/// Into the day; 0 for what is no time.
double wrapped(double time) {
  if (!std::isfinite(time)) {
    return 0;
  }
  const double rest = std::fmod(time, lit::kDay);
  return rest < 0 ? rest + lit::kDay : rest;
}

Vec3 unpacked(std::uint32_t color) {
  const auto channel = [&](unsigned shift) { return static_cast<float>(color >> shift & 0xFFU) / 255.0F; };
  return {channel(16), channel(8), channel(0)};
}

/// 1 up to `near`, falling to 0 at `far`.
double falloff(double distance, double near, double far) {
  if (!(distance > near)) {
    return 1;
  }
  return far > near && distance < far ? (far - distance) / (far - near) : 0;
}

double apart(const Vec3& a, const Vec3& b) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double difference = double{a[axis]} - double{b[axis]};
    square += difference * difference;
  }
  return std::sqrt(square);
}

/// What one light says at a time, clear and storm mixed.
struct Reported {
  std::array<std::optional<Vec3>, lit::kMostTracks> colors;
  std::optional<Fog> fog;
};

void add_weather(const lit::Values* values, float time, double weight, Reported& reported) {
  if (values == nullptr || weight <= 0) {
    return;
  }
  for (std::size_t track = 0; track < std::min(values->tracks.size(), lit::kMostTracks); ++track) {
    mix_into(reported.colors.at(track), color_at(*values, track, time), weight);
  }
  mix_into(reported.fog, fog_at(*values, time), weight);
}

Reported reported_by(const lit::Document& document, std::size_t light, const LightQuery& query) {
  const bool water = query.under_water;
  const double storm = std::min(std::max(double{query.storm}, 0.0), 1.0);
  Reported reported;
  add_weather(document.find(light, water ? lit::Weather::clear_under_water : lit::Weather::clear), query.time,
              1, reported);
  add_weather(document.find(light, water ? lit::Weather::storm_under_water : lit::Weather::storm), query.time,
              storm, reported);
  return reported;
}

double weight_of(const lit::Light& light, const LightQuery& query) {
  if (light.is_default()) {
    return 1;
  }
  const double radius = double{light.radius} / kPerYard;
  return falloff(apart(query.place, light_position(light, query.indoor_map)), radius,
                 radius + double{light.dropoff} / kPerYard);
}

void mix_in(const lit::Document& document, std::size_t light, double weight, const LightQuery& query,
            LightValues& values) {
  if (!(weight > 0)) {
    return;
  }
  const Reported reported = reported_by(document, light, query);
  for (std::size_t track = 0; track < values.tracks; ++track) {
    if (const auto& color = reported.colors.at(track)) {
      values.colors.at(track) = mixed(values.colors.at(track), *color, weight);
    }
  }
  mix_into(values.fog, reported.fog, weight);
  values.shares.push_back({light, static_cast<float>(weight)});
}

}  // namespace

Vec3 light_position(const lit::Light& light, bool indoor_map) {
  // As placements of the same map (wow-alpha-world.md#placements).
  const double edge = indoor_map ? 0 : kMapEdge;
  const double sign = indoor_map ? 1 : -1;
  return {static_cast<float>(edge + sign * (double{light.position[2]} / kPerYard)),
          static_cast<float>(edge + sign * (double{light.position[0]} / kPerYard)),
          static_cast<float>(double{light.position[1]} / kPerYard)};
}

std::optional<Vec3> color_at(const lit::Values& values, std::size_t track, float time) {
  const std::size_t count = values.markers(track);
  if (count == 0) {
    return std::nullopt;
  }
  const lit::Track& markers = values.tracks[track];
  const double now = wrapped(double{time});
  std::size_t after = 0;
  while (after < count && markers.time(after) <= now) {
    ++after;
  }
  const std::size_t next = after < count ? after : 0;
  const std::size_t last = after > 0 ? after - 1 : count - 1;
  const double start = markers.time(last) - (after > 0 ? 0.0 : lit::kDay);
  const double end = markers.time(next) + (after < count ? 0.0 : lit::kDay);
  const double weight = end > start ? (now - start) / (end - start) : 0;
  return mixed(unpacked(markers.color(last)), unpacked(markers.color(next)), weight);
}

std::optional<Fog> fog_at(const lit::Values& values, float time) {
  std::size_t count = lit::kSlots;
  while (count > 0 && !(values.fog_end.at(count - 1) > 0)) {
    --count;
  }
  if (count == 0) {
    return std::nullopt;
  }
  const double place = wrapped(double{time}) / lit::kDay * static_cast<double>(count);
  const auto slot = std::min(static_cast<std::size_t>(place), count - 1);
  const std::size_t next = (slot + 1) % count;
  const double weight = place - static_cast<double>(slot);
  const double end = mix(double{values.fog_end.at(slot)}, double{values.fog_end.at(next)}, weight) / kPerYard;
  const double scaler =
      mix(double{values.fog_start_scaler.at(slot)}, double{values.fog_start_scaler.at(next)}, weight);
  return Fog{static_cast<float>(end * scaler), static_cast<float>(end),
             color_at(values, kFogTrack, time).value_or(Vec3{})};
}

std::optional<LightValues> light_at(const lit::Document& document, const LightQuery& query) {
  if (document.values.empty()) {
    return std::nullopt;
  }
  LightValues values;
  values.tracks = document.values.front().tracks.size();
  if (document.lights.empty()) {
    mix_in(document, 0, 1, query, values);
    return values;
  }
  for (const bool whole_map : {true, false}) {
    for (std::size_t i = 0; i < document.lights.size(); ++i) {
      if (document.lights[i].is_default() == whole_map) {
        mix_in(document, i, weight_of(document.lights[i], query), query, values);
      }
    }
  }
  return values;
}

std::optional<Fog> indoor_fog(std::span<const IndoorFog> fogs, const Vec3& place,
                              const std::optional<Fog>& outdoor) {
  std::optional<Fog> result = outdoor;
  for (const auto& fog : fogs) {
    const bool endless = fog.everywhere || !(fog.large_radius > 0);
    const double weight =
        endless ? 1 : falloff(apart(place, fog.position), double{fog.small_radius}, double{fog.large_radius});
    if (weight > 0) {
      mix_into(result, std::optional<Fog>(Fog{fog.end * fog.start_scalar, fog.end, fog.color}), weight);
    }
  }
  return result;
}

}  // namespace thaw::world
