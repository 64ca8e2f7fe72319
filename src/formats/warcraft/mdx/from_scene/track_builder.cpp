#include "formats/warcraft/mdx/from_scene/track_builder.hpp"

#include "formats/warcraft/mdx/rules/tracks.hpp"
#include "formats/warcraft/mdx/scene/track.hpp"
#include "scene/curve.hpp"

#include <algorithm>

namespace thaw::mdx {

using scene::Curve;
using scene::CurveMode;

double apart(const Double4& a, const Double4& b, bool rotation) {
  const Double4 difference = combine(a, 1, b, -1);
  const double distance = std::sqrt(dot(difference, difference));
  if (!rotation) {
    return distance;
  }
  const Double4 other = combine(a, 1, b, 1);
  return 2 * std::min(distance, std::sqrt(dot(other, other)));
}

namespace {

Double4 between(const Double4& a, const Double4& b, double share, bool rotation) {
  return rotation ? slerp(a, b, share) : combine(a, 1 - share, b, share);
}

/// The exponential of half a rotation vector, and its inverse.
Double4 exponential(const Double3& v) {
  const double angle = scene::length(v);
  const double factor = angle < 1e-12 ? 1 : scene::sine(angle) / angle;
  return {v[0] * factor, v[1] * factor, v[2] * factor, scene::cosine(angle)};
}
Double3 logarithm(const Double4& q) {
  const Double3 v{q[0], q[1], q[2]};
  const double size = scene::length(v);
  return size < 1e-12 ? Double3{} : scene::scaled(v, scene::arc_tangent(size, q[3]) / size);
}

void append(Array<std::uint32_t>& words, const Double4& value, unsigned components, bool integer) {
  for (unsigned i = 0; i < components; ++i) {
    words.push_back(integer ? static_cast<std::uint32_t>(
                                  static_cast<std::int32_t>(std::clamp(std::round(value[i]), -2e9, 2e9)))
                            : rules::same_bits<std::uint32_t>(to_float(value[i])));
  }
}

}  // namespace

Double4 TrackBuilder::evaluated(const Curve& curve, double time) const {
  if (rule_.rotation) {
    return converted(scene::widen(scene::evaluate_rotation(curve, static_cast<float>(time))));
  }
  std::array<float, 4> values{};
  scene::evaluate(curve, static_cast<float>(time), std::span(values).first(curve.components));
  return converted(scene::widen(values));
}

TrackBuilder::Run TrackBuilder::read(const ClipSpan& span, const Curve& curve) const {
  Run run;
  run.span = span;
  run.curve = &curve;
  run.mode = rule_.stepped ? CurveMode::step : curve.mode;
  const bool cubic = curve.mode == CurveMode::cubic;
  const std::size_t per_key = std::size_t{curve.components} * (cubic ? 3 : 1);
  const auto row = [&](std::size_t key, std::size_t part) {
    Double4 values{};
    for (unsigned i = 0; i < curve.components; ++i) {
      values[i] = double{curve.values[key * per_key + part * curve.components + i]};
    }
    return values;
  };
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    Point point;
    point.value = converted(row(key, cubic ? 1 : 0));
    if (cubic) {
      point.in = converted(row(key, 0), false);
      point.out = converted(row(key, 2), false);
    }
    if (rule_.rotation && !run.points.empty() && dot(run.points.back().value, point.value) < 0) {
      point.value = negated(point.value);
      point.in = negated(point.in);
      point.out = negated(point.out);
    }
    run.points.push_back(point);
  }
  settle_frames(run, curve);
  divide_half_turns(run);
  return run;
}

/// Of a half turn rounding decides the direction, so it gets a key in its middle.
void TrackBuilder::divide_half_turns(Run& run) const {
  constexpr double kNearlyHalf = 2.8;
  if (!rule_.rotation || run.mode != CurveMode::linear) {
    return;
  }
  std::vector<Point> divided;
  for (const Point& point : run.points) {
    if (!divided.empty() && apart(divided.back().value, point.value, true) > kNearlyHalf &&
        point.frame - divided.back().frame >= 2) {
      Point middle;
      middle.frame = (divided.back().frame + point.frame) / 2;
      middle.value = evaluated(*run.curve, static_cast<double>(middle.frame) / 1000);
      divided.push_back(middle);
    }
    divided.push_back(point);
  }
  run.points = std::move(divided);
}

/// The game's clock ticks once a millisecond.
void TrackBuilder::settle_frames(Run& run, const Curve& curve) const {
  const std::int64_t length = run.span.last - run.span.first;
  std::vector<Point> rounded;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    Point point = run.points[i];
    const double exact = double{curve.times[i]} * 1000;
    point.frame = std::min<std::int64_t>(static_cast<std::int64_t>(std::round(exact)), length);
    const bool between_ticks = std::abs(exact - static_cast<double>(point.frame)) > 0.01;
    if (between_ticks && run.mode == CurveMode::linear) {
      const Double4 moved = evaluated(curve, static_cast<double>(point.frame) / 1000);
      point.value = rule_.rotation && dot(moved, point.value) < 0 ? negated(moved) : moved;
    }
    point.moved = between_ticks;
    if (between_ticks && rule_.rotation && run.mode == CurveMode::cubic) {
      point = knot(run, static_cast<double>(point.frame), point);
    }
    if (!rounded.empty() && rounded.back().frame >= point.frame) {
      const bool room =
          rounded.size() == 1 ? point.frame > 0 : rounded[rounded.size() - 2].frame < point.frame - 1;
      if (run.mode != CurveMode::step && room) {
        rounded.back().frame = point.frame - 1;  // a jump takes one tick
        rounded.back().value = run.points[i - 1].value;
        rounded.back().out = {};
      } else {
        rounded.pop_back();
      }
    }
    rounded.push_back(point);
  }
  run.points = std::move(rounded);
}

/// Drops keys without which a line stays within the tolerance.
void TrackBuilder::reduce(Run& run) const {
  auto& points = run.points;
  if (run.mode == CurveMode::step) {
    const auto same = [&](const Point& a, const Point& b) { return apart(a.value, b.value, false) == 0; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    return;
  }
  if (run.mode != CurveMode::linear || points.size() < 3) {
    return;
  }
  constexpr std::size_t kMostSkipped = 256;  // keeps the work in proportion
  std::vector<Point> reduced = {points.front()};
  std::size_t from = 0;
  for (std::size_t to = 2; to <= points.size(); ++to) {
    bool fits = to < points.size() && to - from <= kMostSkipped;
    if (fits && rule_.rotation) {
      fits = apart(points[from].value, points[to].value, true) < 1.5;  // slerp must not go the long way round
    }
    for (std::size_t i = from + 1; fits && i < to; ++i) {
      const double share = static_cast<double>(points[i].frame - points[from].frame) /
                           static_cast<double>(points[to].frame - points[from].frame);
      fits = apart(between(points[from].value, points[to].value, share, rule_.rotation), points[i].value,
                   rule_.rotation) <= rule_.tolerance;
    }
    if (!fits) {
      from = to - 1;
      reduced.push_back(points[from]);
    }
  }
  points = std::move(reduced);
}

/// What does not move has one key, all else keys at both borders, so that nothing is interpolated from the
/// last key to the first.
void TrackBuilder::close(Run& run) {
  auto& points = run.points;
  const auto still = [&](const Point& point) {
    constexpr double kNothing = 1e-12;
    return apart(point.value, points.front().value, false) == 0 && dot(point.in, point.in) < kNothing &&
           dot(point.out, point.out) < kNothing;
  };
  if (std::all_of(points.begin(), points.end(), still)) {
    points.resize(1);
    points.front().frame = 0;
    points.front().in = points.front().out = {};
    return;
  }
  const std::int64_t length = run.span.last - run.span.first;
  if (points.front().frame > 0) {
    Point first = points.front();
    first.frame = 0;
    first.in = first.out = {};
    points.front().in = {};
    points.insert(points.begin(), first);
  }
  if (points.back().frame < length) {
    Point last = points.back();
    last.frame = length;
    last.in = last.out = {};
    points.back().out = {};
    points.push_back(last);
  }
}

void TrackBuilder::add(const ClipSpan& span, const Curve& curve) {
  Run run = read(span, curve);
  reduce(run);
  close(run);
  if (run.points.size() == 1) {
    run.mode = CurveMode::step;
  }
  runs_.push_back(std::move(run));
}

void TrackBuilder::add_constant(const ClipSpan& span, const Double4& value) {
  runs_.push_back({span, CurveMode::step, {Point{0, converted(value), {}, {}}}});
}

/// On the curve at a moment (ms), on the side of the point that it stands for.
TrackBuilder::Point TrackBuilder::knot(const Run& run, double frame, const Point& like) const {
  constexpr double kStep = 0.2;  // ms
  Point result = like;
  const auto at = [&](double moment) {
    const Double4 value = evaluated(*run.curve, std::max(0.0, moment) / 1000);
    return dot(value, like.value) < 0 ? negated(value) : value;
  };
  result.value = at(frame);
  result.in = combine(at(frame + kStep), 1000 / (2 * kStep), at(frame - kStep), -1000 / (2 * kStep));
  result.out = result.in;
  return result;
}

/// A squad with these inner points has the same slopes as the curve at both ends.
std::pair<Double4, Double4> TrackBuilder::inner_points(const Point& a, const Point& b) {
  const double seconds = static_cast<double>(b.frame - a.frame) / 1000;
  const Double4 relative = scene::quaternion_product(scene::conjugate(a.value), b.value);
  const Double3 turn = logarithm(relative);
  const auto spin = [&](const Double4& at, const Double4& slope) {
    const Double4 local = scene::quaternion_product(scene::conjugate(at), combine(slope, seconds, slope, 0));
    return Double3{local[0], local[1], local[2]};
  };
  const Double3 leave = scene::scaled(scene::subtract(spin(a.value, a.out), turn), 0.5);
  const Double3 arrive = scene::scaled(scene::subtract(turn, spin(b.value, b.in)), 0.5);
  return {normalized(scene::quaternion_product(a.value, exponential(leave))),
          normalized(scene::quaternion_product(b.value, exponential(arrive)))};
}

/// Does one squad show the curve from one point to another? Looked at evenly, and where the curve has points
/// and between them: what is over in a few frames lies between two even looks.
bool TrackBuilder::one_turn(const Run& run, const Point& a, const Point& b) const {
  if (dot(a.value, b.value) <= 0) {
    return false;
  }
  const auto inner = inner_points(a, b);
  const auto begin = static_cast<double>(a.frame);
  const auto length = static_cast<double>(b.frame - a.frame);
  const auto follows = [&](double frame) {
    const double s = (frame - begin) / length;
    const Double4 squad =
        slerp(slerp(a.value, b.value, s), slerp(inner.first, inner.second, s), 2 * s * (1 - s));
    return apart(squad, evaluated(*run.curve, frame / 1000), true) <= rule_.tolerance;
  };
  constexpr int kLooks = 8;
  for (int look = 1; look < kLooks; ++look) {
    if (!follows(begin + length * look / kLooks)) {
      return false;
    }
  }
  const auto after =
      std::upper_bound(run.points.begin(), run.points.end(), a.frame,
                       [](std::int64_t frame, const Point& point) { return frame < point.frame; });
  for (auto point = after; point != run.points.end() && point->frame < b.frame; ++point) {
    const auto at = static_cast<double>(point->frame);
    const auto next = static_cast<double>(point + 1 == run.points.end() ? b.frame : (point + 1)->frame);
    if (!follows(at) || !follows(std::min((at + next) / 2, begin + length))) {
      return false;
    }
  }
  return true;
}

void TrackBuilder::divide_turn(const Run& run, const Point& a, const Point& b,
                               std::vector<Point>& keys) const {
  if (b.frame - a.frame < 2 || one_turn(run, a, b)) {
    const auto [out, in] = inner_points(a, b);
    const bool is_short = b.frame - a.frame < 2;
    keys.back().out = is_short ? a.value : out;
    keys.push_back(b);
    keys.back().in = is_short ? b.value : in;
    keys.back().out = b.value;
    return;
  }
  const std::int64_t middle = (a.frame + b.frame) / 2;
  Point like = a;
  like.frame = middle;
  const Point between_both = knot(run, static_cast<double>(middle), like);
  divide_turn(run, a, between_both, keys);
  divide_turn(run, between_both, b, keys);
}

/// The farthest point that one squad reaches: curves that were fitted to squads have many between.
std::size_t TrackBuilder::reach(const Run& run, std::size_t from) const {
  constexpr std::size_t kFarthest = 40;
  const std::size_t last = std::min(run.points.size() - 1, from + kFarthest);
  for (std::size_t to = last; to > from + 1; --to) {
    if (!run.points[to].moved && one_turn(run, run.points[from], run.points[to])) {
      return to;
    }
  }
  return from + 1;
}

/// With tangents.
void TrackBuilder::emit_smooth(const Run& run, std::vector<Point>& keys) const {
  keys.push_back(run.points.front());
  keys.back().in = keys.back().out = rule_.rotation ? run.points.front().value : Double4{};
  for (std::size_t i = 0; i + 1 < run.points.size(); ++i) {
    const Point& a = run.points[i];
    if (rule_.rotation && run.mode == CurveMode::cubic) {
      const std::size_t to = reach(run, i);
      divide_turn(run, a, run.points[to], keys);
      i = to - 1;
      continue;
    }
    const Point& b = run.points[i + 1];
    if (rule_.rotation) {
      keys.back().out = a.value;  // a squad whose inner points are its ends is a slerp
      keys.push_back(b);
      keys.back().in = keys.back().out = b.value;
      continue;
    }
    const double seconds = static_cast<double>(b.frame - a.frame) / 1000;
    const Double4 delta = combine(b.value, 1, a.value, -1);
    const bool cubic = run.mode == CurveMode::cubic;
    keys.back().out = cubic ? combine(a.out, seconds, a.out, 0) : delta;
    keys.push_back(b);
    keys.back().in = cubic ? combine(b.in, seconds, b.in, 0) : delta;
    keys.back().out = {};
  }
}

void TrackBuilder::emit(const Run& run, CurveMode mode, std::vector<Point>& keys) const {
  Run shown = run;
  if (run.mode == CurveMode::step && mode != CurveMode::step) {
    // Held until the tick before the next.
    shown.points.clear();
    for (const Point& point : run.points) {
      if (!shown.points.empty() && shown.points.back().frame + 1 < point.frame) {
        Point hold = shown.points.back();
        hold.frame = point.frame - 1;
        shown.points.push_back(hold);
      }
      shown.points.push_back(point);
    }
    shown.mode = CurveMode::linear;
  }
  const std::size_t first = keys.size();
  if (mode == CurveMode::cubic) {
    emit_smooth(shown, keys);
  } else {
    keys.insert(keys.end(), shown.points.begin(), shown.points.end());
  }
  for (std::size_t i = first; i < keys.size(); ++i) {
    keys[i].frame += run.span.first;
  }
}

std::optional<Track> TrackBuilder::finish(std::int32_t global, const Double4& silent) {
  CurveMode mode = CurveMode::step;
  bool says_something = false;
  for (const Run& run : runs_) {
    mode = std::max(mode, run.mode);
    says_something = says_something || run.points.size() > 1 ||
                     apart(run.points.front().value, silent, rule_.rotation) > 0;
  }
  if (!says_something) {
    return std::nullopt;
  }
  std::vector<Point> keys;
  std::sort(runs_.begin(), runs_.end(),
            [](const Run& a, const Run& b) { return a.span.first < b.span.first; });
  for (const Run& run : runs_) {
    emit(run, mode, keys);
  }
  Track track;
  track.tag = rule_.tag;
  track.global_sequence = global;
  track.interpolation = mode == CurveMode::step     ? Interpolation::none
                        : mode == CurveMode::linear ? Interpolation::linear
                                                    : Interpolation::hermite;
  const bool integer = track_type(rule_.tag).integer;
  for (const Point& key : keys) {
    track.words.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(key.frame)));
    append(track.words, key.value, components_, integer);
    if (track.has_tangents()) {
      append(track.words, key.in, components_, integer);
      append(track.words, key.out, components_, integer);
    }
  }
  return track;
}

}  // namespace thaw::mdx
