#include "frame/emission.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

/// No emitter is followed further back than this.
constexpr double kLongestLife = 300;

/// Particles that begin with the keys from `from` to `to` on the curve's own time line. The conversion puts a
/// key at both ends of a clip; where it only repeats what was there, it begins nothing.
double burst_births(const scene::Curve& curve, double from, double to) {
  const std::size_t count = curve.times.size();
  const std::size_t stride = curve.mode == scene::CurveMode::cubic ? 3 : 1;
  const auto value = [&](std::size_t key) { return curve.values[key * stride + (stride == 3 ? 1 : 0)]; };
  const auto before = [](float key, double time) { return double{key} < time; };
  const auto first = std::lower_bound(curve.times.begin(), curve.times.end(), from, before);
  double sum = 0;
  for (auto key = static_cast<std::size_t>(first - curve.times.begin());
       key < count && double{curve.times[key]} < to; ++key) {
    const bool end = key == 0 || key + 1 == count;
    const bool repeats = end && value(key) == value(key == 0 ? count - 1 : key - 1);
    if (count == 1 || !repeats) {
      sum += std::floor(std::max(0.0, double{value(key)}));
    }
  }
  return sum;
}

}  // namespace

Ticks::Ticks(const PlayTime& moment, double life)
    : now_(std::isfinite(moment.time) ? std::clamp(moment.time, -kFarthest, kFarthest) : 0),
      last_(static_cast<std::int64_t>(std::floor(now_ / kTick))) {
  const double span = life > 0 ? std::min(life, kLongestLife) : 0;  // a file may say NaN
  first_ = static_cast<std::int64_t>(std::floor((now_ - span) / kTick));
}

Births births_at(std::int64_t tick, double rate, std::uint32_t most) {
  Births births;
  if (!(rate > 0) || !std::isfinite(rate)) {
    return births;
  }
  const double before = rate * kTick * static_cast<double>(tick);
  const double after = rate * kTick * static_cast<double>(tick + 1);
  const double first = std::floor(before) + 1;
  const double count = std::floor(after) - first + 1;
  if (!(count >= 1)) {
    return births;
  }
  births.count = static_cast<std::uint32_t>(std::min(count, static_cast<double>(most)));
  births.start = first / rate;
  births.step = 1 / rate;
  return births;
}

Births burst_at(std::int64_t tick, const Player& player, const Instance& instance, const Ticks& ticks,
                const scene::Target& target, float rate, std::uint32_t most) {
  const double time = static_cast<double>(tick) * kTick;
  double sum = 0;
  const Player::Timed timed = player.find(target, scene::Property::emitter_rate);
  if (timed.curve == nullptr) {
    sum = tick == 0 ? std::floor(std::max(0.0, double{rate})) : 0;
  } else if (!timed.curve->values.empty()) {
    const double from = timed.at(player.times(instance.moment, ticks.age(time)));
    const double to = from + kTick;
    sum = burst_births(*timed.curve, from, to);
    if (timed.period > 0 && to > timed.period) {
      sum += burst_births(*timed.curve, 0, to - timed.period);
    }
  }
  const double count = std::isfinite(sum) ? std::min(sum, static_cast<double>(most)) : 0;
  return {static_cast<std::uint32_t>(count), time, 0};
}

}  // namespace thaw::frame
