// Curves: their value at a time, and sampling of what several curves make together.
#pragma once

#include <thaw/scene.hpp>

#include <functional>
#include <span>
#include <vector>

namespace thaw::scene {

/// Writes `curve.components` values; before the first key its value holds, after the last key that one's.
/// The curve must have a key. For all properties but rotations.
void evaluate(const Curve& curve, float time, std::span<float> out);

/// The same for a curve of unit quaternions.
Vec4 evaluate_rotation(const Curve& curve, float time);

inline float evaluate_scalar(const Curve& curve, float time) {
  float value = 0;
  evaluate(curve, time, {&value, 1});
  return value;
}

/// The curve as the writers need it: finite, times not negative and strictly increasing, values complete;
/// rotations of unit length. Keys that break this are left out.
Curve cleaned(const Curve& curve, bool rotation);

/// Drops keys without which every interpolation gives the same values bit by bit: the inner ones of constant
/// runs. A constant curve is left with one key.
void drop_redundant_keys(Curve& curve);

/// True if all keys hold this value (and, if cubic, no tangent leads away from it).
bool is_constant(const Curve& curve, std::span<const float> value);

/// The key times of all curves, sorted. Where a stepped curve accompanies one that moves, the moment right
/// before each step is added, so that linear interpolation between the results keeps the step.
std::vector<float> merged_times(std::span<const Curve* const> curves);

template <class T>
struct Sample {
  float time = 0;
  T value{};
};

namespace detail {
inline constexpr int kMaxHalvings = 8;
inline constexpr float kShortestInterval = 1.0F / 240;

template <class T, class Evaluate, class Close>
void halve(std::vector<Sample<T>>& out, const Sample<T>& from, const Sample<T>& to, int depth,
           const Evaluate& evaluate, const Close& close) {
  const float span = to.time - from.time;
  if (depth >= kMaxHalvings || span < kShortestInterval) {
    return;
  }
  bool fits = true;
  for (const float part : {0.25F, 0.5F, 0.75F}) {
    fits = fits && close(from.value, to.value, part, evaluate(from.time + span * part));
  }
  if (fits) {
    return;
  }
  const float time = from.time + span / 2;
  const Sample<T> middle{time, evaluate(time)};
  halve(out, from, middle, depth + 1, evaluate, close);
  out.push_back(middle);
  halve(out, middle, to, depth + 1, evaluate, close);
}
}  // namespace detail

/// Samples at `times` and, by halving, wherever `close(from, to, part, exact)` says that interpolation
/// between two neighbours misses the exact value. Intervals are not made shorter than 1/240 s.
template <class T, class Evaluate, class Close>
std::vector<Sample<T>> sample_adaptively(const std::vector<float>& times, const Evaluate& evaluate,
                                         const Close& close) {
  std::vector<Sample<T>> out;
  for (const float time : times) {
    const Sample<T> next{time, evaluate(time)};
    if (!out.empty()) {
      const Sample<T> last = out.back();
      detail::halve(out, last, next, 0, evaluate, close);
    }
    out.push_back(next);
  }
  return out;
}

/// A curve of `components` values that are a function of several curves. Stepped if all of them are, else
/// linear with an error of at most `tolerance` per component between the keys.
Curve combined(std::span<const Curve* const> curves, unsigned components, float tolerance,
               const std::function<void(float time, std::span<float> out)>& evaluate);

}  // namespace thaw::scene
