// When emitters emit. Time is cut into ticks that begin at the clip's start, and what a tick brings forth
// depends on nothing but the tick: any moment can be asked for, and it always looks the same.
#pragma once

#include "frame/builder.hpp"

#include <cstdint>

namespace thaw::frame {

inline constexpr double kTick = 1.0 / 60;

/// The ticks that a moment looks back on, newest first.
class Ticks {
 public:
  /// `life` in seconds.
  Ticks(const PlayTime& moment, double life);

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// How long ago a time on the emitters' clock was, in seconds.
  [[nodiscard]] double age(double time) const { return now_ - time; }

 private:
  double now_ = 0;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
};

/// Births within one tick: `count` of them, the first at `start`, then every `step` seconds.
struct Births {
  std::uint32_t count = 0;
  double start = 0;
  double step = 0;
};

/// Of something that emits `rate` per second. The births of a steady rate are evenly spaced over all ticks.
Births births_at(std::int64_t tick, double rate, std::uint32_t most);

/// Of a burst: all at once whenever another key of the rate begins (warcraft3-rendering.md#sprite-particles).
Births burst_at(std::int64_t tick, const Player& player, const Instance& instance, const Ticks& ticks,
                const scene::Target& target, float rate, std::uint32_t most);

}  // namespace thaw::frame
