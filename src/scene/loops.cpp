#include "scene/loops.hpp"

#include "scene/curve.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::scene {
namespace {

constexpr double kMostValues = 1U << 24U;  ///< of all clips together

bool moves(const Clip& clip, const Channel& channel) {
  return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& own) {
    return own.target == channel.target && own.property == channel.property;
  });
}

bool is_usable(const Clip& loop, const Channel& channel) {
  return loop.duration > 0 && !channel.curve.empty() && channel.curve.components > 0;
}

double values_of(const Clip& clip, const Clip& loop, const Channel& channel) {
  const double turns = std::floor(double{clip.duration} / double{loop.duration}) + 1;
  return turns * static_cast<double>(channel.curve.values.size() + std::size_t{2} * channel.curve.components);
}

/// One key: the value of linear and stepped curves, and the tangents of cubic ones.
void add_key(Curve& to, float time, std::span<const float> values) {
  if (!to.times.empty() && time <= to.times.back()) {
    time = std::nextafter(to.times.back(), INFINITY);  // where a turn ends, the next begins
  }
  to.times.push_back(time);
  to.values.insert(to.values.end(), values.begin(), values.end());
}

class Repeater {
 public:
  Repeater(const Curve& curve, bool rotation, float period)
      : curve_(curve), rotation_(rotation), period_(period) {}

  [[nodiscard]] Curve until(float end) const {
    Curve result;
    result.mode = curve_.mode;
    result.components = curve_.components;
    if (curve_.times.size() < 2) {
      result = curve_;
      result.times.front() = 0;
      return result;
    }
    for (double turn = 0; turn * double{period_} < double{end}; ++turn) {
      add_turn(result, turn * double{period_}, end);
    }
    return result;
  }

 private:
  void add_turn(Curve& to, double start, float end) const {
    const std::size_t width = std::size_t{curve_.components} * (curve_.mode == CurveMode::cubic ? 3 : 1);
    if (curve_.times.front() > 0) {
      add_sample(to, start, 0);
    }
    for (std::size_t i = 0; i < curve_.times.size() && curve_.times[i] <= period_; ++i) {
      const double time = start + double{curve_.times[i]};
      if (time > double{end}) {
        add_sample(to, start, static_cast<float>(double{end} - start));  // the way to it ends with the clip
        return;
      }
      add_key(to, static_cast<float>(time), std::span(curve_.values).subspan(i * width, width));
    }
    if (curve_.times.back() < period_) {
      add_sample(to, start, static_cast<float>(std::min(double{period_}, double{end} - start)));
    }
  }

  /// Where a turn is cut, or has no key.
  void add_sample(Curve& to, double start, float time) const {
    const std::size_t width = curve_.components;
    std::vector<float> key = sample(time);
    if (curve_.mode == CurveMode::cubic) {
      constexpr float kStep = 1e-3F;
      const auto before = sample(time - kStep);
      const auto after = sample(time + kStep);
      std::vector<float> slope(width);
      for (std::size_t i = 0; i < width; ++i) {
        slope[i] = (after[i] - before[i]) / (2 * kStep);
      }
      key.insert(key.begin(), slope.begin(), slope.end());
      key.insert(key.end(), slope.begin(), slope.end());
    }
    add_key(to, static_cast<float>(start + double{time}), key);
  }

  [[nodiscard]] std::vector<float> sample(float time) const {
    std::vector<float> value(curve_.components);
    if (rotation_) {
      const Vec4 turned = evaluate_rotation(curve_, time);
      std::copy(turned.begin(), turned.end(), value.begin());
    } else {
      evaluate(curve_, time, value);
    }
    return value;
  }

  const Curve& curve_;
  bool rotation_;
  float period_;
};

void bake(Clip& clip, const Clip& loop, double& room) {
  std::vector<Channel> added;
  for (const auto& channel : loop.channels) {
    if (!is_usable(loop, channel) || moves(clip, channel)) {
      continue;
    }
    room -= values_of(clip, loop, channel);
    const bool rotation = channel.property == Property::rotation && channel.curve.components == 4;
    added.push_back({channel.target, channel.property,
                     Repeater(channel.curve, rotation, loop.duration).until(clip.duration)});
  }
  std::move(added.begin(), added.end(), std::back_inserter(clip.channels));
}

double cost(const Scene& scene, const Clip& loop) {
  double values = 0;
  for (const auto& clip : scene.clips) {
    for (const auto& channel : loop.channels) {
      values += !clip.global && is_usable(loop, channel) ? values_of(clip, loop, channel) : 0;
    }
  }
  return values;
}

/// Clips without channels that were loops, but those that an event names.
void drop_loops(Scene& scene, const std::vector<bool>& baked) {
  std::vector<Index> places(scene.clips.size(), kNone);
  std::vector<Clip> kept;
  for (Index i = 0; i < scene.clips.size(); ++i) {
    const bool fires = std::any_of(scene.events.begin(), scene.events.end(),
                                   [&](const Event& event) { return event.global_loop == i; });
    if (baked[i] && !fires) {
      continue;
    }
    places[i] = static_cast<Index>(kept.size());
    kept.push_back(std::move(scene.clips[i]));
    if (baked[i]) {
      kept.back().channels.clear();
    }
  }
  for (auto& event : scene.events) {
    event.global_loop = event.global_loop < places.size() ? places[event.global_loop] : kNone;
  }
  scene.clips = std::move(kept);
}

}  // namespace

void bake_loops(Scene& scene, Diagnostics& diagnostics) {
  const bool any =
      std::any_of(scene.clips.begin(), scene.clips.end(), [](const Clip& clip) { return !clip.global; });
  if (!any) {
    return;
  }
  std::vector<bool> baked(scene.clips.size());
  double room = kMostValues;
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    const Clip& loop = scene.clips[i];
    if (!loop.global) {
      continue;
    }
    if (!(cost(scene, loop) <= room)) {
      diagnostics.add(codes::kSceneApproximated,
                      "too many keys to repeat the loop in all clips; it stays a separate clip", {},
                      "clips[" + std::to_string(i) + "]");
      continue;
    }
    baked[i] = true;
    for (auto& clip : scene.clips) {
      if (!clip.global) {
        bake(clip, loop, room);
      }
    }
  }
  drop_loops(scene, baked);
}

}  // namespace thaw::scene
