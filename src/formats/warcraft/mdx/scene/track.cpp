#include "formats/warcraft/mdx/scene/track.hpp"

#include "formats/warcraft/mdx/curve_fit.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Reads the keys of a track in the terms of the scene.
class KeyReader {
 public:
  explicit KeyReader(const TrackUse& use) : use_(use) {}

  KeyList read();

 private:
  Double4 value(std::size_t key, unsigned part);
  [[nodiscard]] Double4 convert(const Double4& raw) const;
  Double4 index(std::int32_t stored);

  const TrackUse& use_;
  KeyList list_;
};

/// Zero quaternions occur as tangents; they and other broken ones count as missing.
bool is_direction(const Double4& q) { return is_finite(q) && dot(q, q) > 1e-24; }

Double4 KeyReader::index(std::int32_t stored) {
  if (stored < 0 || static_cast<std::uint32_t>(stored) >= use_.limit) {
    list_.bad_index = true;
    return use_.rest;
  }
  return {static_cast<double>(stored), 0, 0, 0};
}

Double4 with_fourth(const Double3& v, double fourth) { return {v[0], v[1], v[2], fourth}; }

Double4 KeyReader::convert(const Double4& raw) const {
  const double factor = use_.factor;
  switch (use_.conversion) {
    case Conversion::plain:
      return combine(raw, factor, raw, 0);
    case Conversion::translation:
      return with_fourth(to_y_up(Double3{raw[0] * factor, raw[1] * factor, raw[2] * factor}, use_.axes), 0);
    case Conversion::rotation:
      return normalized(with_fourth(to_y_up(Double3{raw[0], raw[1], raw[2]}, use_.axes), raw[3]));
    case Conversion::scaling:
      return with_fourth(to_y_up_scale(Double3{raw[0], raw[1], raw[2]}, use_.axes), 0);
    case Conversion::color:
      return {raw[0], raw[1], raw[2], 0};
    case Conversion::bgr_color:
      return {raw[2], raw[1], raw[0], 0};
    case Conversion::uv:
      return {raw[0], raw[1], 0, 0};
    case Conversion::uv_angle:
      return normalized(raw);
    case Conversion::visibility:
      return {raw[0] > 0 ? 1.0 : 0.0, 0, 0, 0};
    case Conversion::index:
      break;
  }
  return raw;
}

Double4 KeyReader::value(std::size_t key, unsigned part) {
  const Vec4 stored = use_.track->value(key, part);
  Double4 raw = {stored[0], stored[1], stored[2], stored[3]};
  if (list_.rotation && !is_direction(raw)) {
    list_.repaired_values = true;
    return part == 0 ? Double4{0, 0, 0, 1} : list_.keys[key].value;
  }
  const Double4 fallback = track_default(use_.track->tag);
  for (unsigned i = 0; i < raw.size(); ++i) {
    if (!std::isfinite(raw[i])) {
      list_.repaired_values = true;
      raw[i] = fallback[i];
    }
  }
  return convert(raw);
}

unsigned component_count(Conversion conversion) {
  switch (conversion) {
    case Conversion::translation:
    case Conversion::scaling:
    case Conversion::color:
    case Conversion::bgr_color:
      return 3;
    case Conversion::rotation:
    case Conversion::uv_angle:
      return 4;
    case Conversion::uv:
      return 2;
    case Conversion::plain:
    case Conversion::visibility:
    case Conversion::index:
      break;
  }
  return 1;
}

Interpolation interpolation_of(const TrackUse& use) {
  const bool stepped = use.conversion == Conversion::visibility || track_type(use.track->tag).integer;
  return stepped ? Interpolation::none : use.track->interpolation;
}

KeyList KeyReader::read() {
  const Track& track = *use_.track;
  const bool integer = track_type(track.tag).integer;
  list_.interpolation = interpolation_of(use_);
  list_.rotation = use_.conversion == Conversion::rotation || use_.conversion == Conversion::uv_angle;
  list_.components = component_count(use_.conversion);
  list_.offset = use_.offset;
  list_.fallback = convert(track_default(track.tag));
  const std::size_t count = track.components() == 0 ? 0 : track.size();
  list_.keys.resize(count);
  const bool curved = track.has_tangents() && list_.interpolation != Interpolation::none;
  for (std::size_t i = 0; i < count; ++i) {
    auto& key = list_.keys[i];
    key.frame = track.frame(i);
    if (integer) {
      const std::int32_t stored = track.integer(i);
      key.value = use_.conversion == Conversion::index ? index(stored)
                                                       : Double4{static_cast<double>(stored), 0, 0, 0};
      continue;
    }
    key.value = value(i, 0);
    if (curved) {
      key.in = value(i, 1);
      key.out = value(i, 2);
    }
  }
  list_.holds = use_.holds;
  if (use_.holds) {
    list_.fallback = combine(use_.rest, 1, use_.offset, -1);
  } else if (use_.conversion == Conversion::index) {
    list_.fallback = use_.limit > 0 ? Double4{} : use_.rest;
  }
  const auto by_frame = [](const Key& a, const Key& b) { return a.frame < b.frame; };
  if (!std::is_sorted(list_.keys.begin(), list_.keys.end(), by_frame)) {
    list_.unsorted = true;
    std::stable_sort(list_.keys.begin(), list_.keys.end(), by_frame);
  }
  return std::move(list_);
}

/// Collects the pieces of one window.
class Player {
 public:
  explicit Player(const Window& window) : window_(window) {}

  void add(const Key& from, const Key& to, std::int64_t start, std::int64_t end, double u0, double u1) {
    const double t0 = seconds(start);
    const double t1 = seconds(end);
    if (t1 > t0) {
      playback.pieces.push_back({t0, t1, &from, &to, u0, u1, broken_});
      broken_ = false;
    } else if (!playback.pieces.empty() && from.value != to.value) {
      broken_ = true;  // two keys at one time
    }
  }

  Playback finish() {
    playback.jump_at_end = broken_;
    return std::move(playback);
  }

  Playback playback;

 private:
  [[nodiscard]] double seconds(std::int64_t frame) const {
    return double{static_cast<float>(static_cast<double>(frame - window_.start) / 1000)};
  }

  Window window_;
  bool broken_ = false;
};

/// warcraft3-rendering.md#playing-a-track: the keys within the window.
auto candidates(const KeyList& list, const Window& window) {
  const auto& keys = list.keys;
  const auto first = std::lower_bound(keys.begin(), keys.end(), window.start,
                                      [](const Key& key, std::int64_t frame) { return key.frame < frame; });
  const auto end = std::upper_bound(first, keys.end(), window.end,
                                    [](std::int64_t frame, const Key& key) { return frame < key.frame; });
  return std::pair(first, end);
}

/// warcraft3-rendering.md#playing-a-track: outside the keys the segment from the last to the first one is
/// played.
void play_wrapped(Player& player, const Key* first, const Key* last, const Window& window, bool extrapolate,
                  const auto& middle) {
  const auto length = static_cast<double>((first->frame - last->frame) + (window.end - window.start));
  const auto before = static_cast<double>(first->frame - window.start);
  const auto after = static_cast<double>(window.end - last->frame);
  if (before > 0) {
    const double u0 = extrapolate ? -before / length : after / length;
    player.add(*last, *first, window.start, first->frame, u0, extrapolate ? 0 : 1);
    if (extrapolate) {
      player.add(*last, *first, first->frame, first->frame, 0, 0);
    }
  }
  middle();
  if (after > 0) {
    player.add(*last, *first, last->frame, window.end, 0, after / length);
  }
}

/// The first key counts before it, the last one after it.
void play_clamped(Player& player, const Key* first, const Key* last, const Window& window,
                  const auto& middle) {
  player.add(*first, *first, window.start, first->frame, 0, 0);
  middle();
  player.add(*last, *last, last->frame, window.end, 0, 0);
}

using scene::Curve;
using scene::CurveMode;

Curve constant_curve(const KeyList& list, const Double4& value) {
  CurveWriter writer(list.interpolation == Interpolation::none ? CurveMode::step : CurveMode::linear,
                     list.components, list.rotation);
  writer.jump({0, value, {}});
  return writer.finish(list.offset);
}

/// The derivative by u.
Double4 slope(const KeyList& list, const Piece& piece, double u) {
  const Key& a = *piece.from;
  const Key& b = *piece.to;
  const Double4 delta = combine(b.value, 1, a.value, -1);
  if (list.interpolation == Interpolation::hermite) {
    const Double4 tangents = combine(a.out, 3 * u * u - 4 * u + 1, b.in, 3 * u * u - 2 * u);
    return combine(delta, 6 * u * (1 - u), tangents, 1);
  }
  const Double4 first = combine(a.out, 1, a.value, -1);
  const Double4 second = combine(b.in, 1, a.out, -1);
  const Double4 third = combine(b.value, 1, b.in, -1);
  const Double4 outer = combine(first, 3 * (1 - u) * (1 - u), third, 3 * u * u);
  return combine(outer, 1, second, 6 * u * (1 - u));
}

void add_polynomial(const KeyList& list, const Piece& piece, CurveWriter& writer) {
  const double speed = (piece.u1 - piece.u0) / (piece.t1 - piece.t0);
  const auto point = [&](double t, double u) {
    const Double4 by_u = slope(list, piece, u);
    return CurveWriter::Point{t, evaluate(list, piece, u), combine(by_u, speed, by_u, 0)};
  };
  writer.segment(point(piece.t0, piece.u0), point(piece.t1, piece.u1));
}

/// Viewers take the shorter way between neighbouring keys, so arcs that grew by extrapolation are divided.
void add_arc(const KeyList& list, const Piece& piece, CurveWriter& writer) {
  const double reach = list.rotation ? std::abs(piece.u1 - piece.u0) : 1;
  const int parts = static_cast<int>(std::clamp(std::ceil(reach), 1.0, 1000.0));
  const auto point = [&](int part) {
    const double share = static_cast<double>(part) / parts;
    return CurveWriter::Point{piece.t0 + (piece.t1 - piece.t0) * share,
                              evaluate(list, piece, piece.u0 + (piece.u1 - piece.u0) * share),
                              {}};
  };
  for (int part = 0; part < parts; ++part) {
    writer.segment(point(part), point(part + 1));
  }
}

bool has_tangents(const KeyList& list) {
  return list.interpolation == Interpolation::hermite || list.interpolation == Interpolation::bezier;
}

void add_piece(const KeyList& list, const Piece& piece, const CurveOptions& options, CurveWriter& writer) {
  if (!list.rotation && has_tangents(list)) {
    add_polynomial(list, piece, writer);
  } else if (!has_tangents(list)) {
    add_arc(list, piece, writer);
  } else {
    const auto at = [&](double u) { return evaluate(list, piece, u); };
    fit_cubic(at, {piece.t0, piece.t1, piece.u0, piece.u1}, options.rotation_tolerance, true, writer);
  }
}

Curve step_curve(const KeyList& list, const Playback& playback) {
  CurveWriter writer(CurveMode::step, list.components, list.rotation);
  for (const auto& piece : playback.pieces) {
    writer.jump({piece.t0, piece.from->value, {}});
  }
  writer.jump({playback.pieces.back().t1, playback.last->value, {}});
  return writer.finish(list.offset);
}

/// The multiple of a full turn that brings an angle nearest to a reference.
double unwrapped(double angle, double reference) {
  constexpr double kTurn = 2 * scene::kPi;
  return angle + std::round((reference - angle) / kTurn) * kTurn;
}

double angle_about_z(const Double4& q) { return 2 * scene::arc_tangent(q[2], q[3]); }

double as_float_time(double time) { return double{static_cast<float>(time)}; }

/// Turns quaternions into one angle without jumps of full turns.
class AngleCurve {
 public:
  AngleCurve(const KeyList& list, const CurveOptions& options)
      : list_(list), options_(options), mode_(mode(list)), writer_(mode_, 1, false) {}

  void key(double time, const Double4& value) { writer_.jump({time, continued(value), {}}); }

  void add(const Piece& piece) {
    const auto at = [&](double u) { return continued(evaluate(list_, piece, u)); };
    if (mode_ == CurveMode::step) {
      key(piece.t0, piece.from->value);
      return;
    }
    if (piece.jump) {
      writer_.jump({piece.t0, at(piece.u0), {}});
    }
    // Steps so short that the angle turns less than half around in each.
    const int steps = mode_ == CurveMode::linear ? 1 : 8;
    for (int i = 0; i < steps; ++i) {
      const auto mix = [&](double from, double to, int step) { return from + (to - from) * step / steps; };
      const FitSpan span = {as_float_time(mix(piece.t0, piece.t1, i)),
                            as_float_time(mix(piece.t0, piece.t1, i + 1)), mix(piece.u0, piece.u1, i),
                            mix(piece.u0, piece.u1, i + 1)};
      angle_ = at(span.u0)[0];
      if (mode_ == CurveMode::linear) {
        writer_.segment({span.t0, at(span.u0), {}}, {span.t1, at(span.u1), {}});
      } else if (span.t1 > span.t0) {
        fit_cubic(at, span, options_.rotation_tolerance, false, writer_);
      }
      angle_ = at(span.u1)[0];
    }
  }

  [[nodiscard]] Curve finish() const { return writer_.finish({}); }

 private:
  static CurveMode mode(const KeyList& list) {
    const auto planar = [](const Key& key) { return key.value[0] == 0 && key.value[1] == 0; };
    if (list.interpolation == Interpolation::none) {
      return CurveMode::step;
    }
    const bool linear = list.interpolation == Interpolation::linear;
    return linear && std::all_of(list.keys.begin(), list.keys.end(), planar) ? CurveMode::linear
                                                                             : CurveMode::cubic;
  }

  [[nodiscard]] Double4 continued(const Double4& q) const {
    return {unwrapped(angle_about_z(q), angle_), 0, 0, 0};
  }

  const KeyList& list_;
  const CurveOptions& options_;
  CurveMode mode_;
  CurveWriter writer_;
  double angle_ = 0;  ///< where the curve has come to
};

}  // namespace

Double4 track_default(FourCC tag) {
  static constexpr std::array kOne = {FourCC{"KMTA"}, FourCC{"KGAO"}, FourCC{"KLAV"},
                                      FourCC{"KATV"}, FourCC{"KPEV"}, FourCC{"KP2V"},
                                      FourCC{"KRVS"}, FourCC{"KPPV"}, FourCC{"KCVS"}};
  if (tag == FourCC{"KGRT"} || tag == FourCC{"KTAR"}) {
    return {0, 0, 0, 1};
  }
  if (tag == FourCC{"KGSC"} || tag == FourCC{"KTAS"}) {
    return {1, 1, 1, 0};
  }
  if (std::find(kOne.begin(), kOne.end(), tag) != kOne.end()) {
    return {1, 0, 0, 0};
  }
  return {};
}

KeyList prepare(const TrackUse& use) { return KeyReader(use).read(); }

std::size_t keys_within(const KeyList& list, const Window& window) {
  const auto [first, end] = candidates(list, window);
  return static_cast<std::size_t>(end - first);
}

Playback play(const KeyList& list, const Window& window, bool extrapolate) {
  const auto& keys = list.keys;
  const auto [first, end] = candidates(list, window);
  Player player(window);
  if (first == end) {
    const bool late = window.global && !keys.empty() && keys.front().frame > window.end;
    player.playback.constant = late ? keys.front().value : list.fallback;
    return player.finish();
  }
  const Key* last = &*(end - 1);
  player.playback.last = last;
  if (end - first == 1 || window.end <= window.start) {
    player.playback.constant = last->value;
    return player.finish();
  }
  // Named anew: clang 14 captures no structured bindings.
  const auto between_keys = [&, key_from = first, key_to = end] {
    for (auto key = key_from; key + 1 != key_to; ++key) {
      player.add(*key, *(key + 1), key->frame, (key + 1)->frame, 0, 1);
    }
  };
  if (list.holds) {
    play_clamped(player, &*first, last, window, between_keys);
  } else {
    play_wrapped(player, &*first, last, window, extrapolate, between_keys);
  }
  auto playback = player.finish();
  if (playback.pieces.empty()) {
    playback.constant = last->value;
  }
  return playback;
}

Double4 evaluate(const KeyList& list, const Piece& piece, double u) {
  const Key& a = *piece.from;
  const Key& b = *piece.to;
  switch (list.interpolation) {
    case Interpolation::none:
      return a.value;
    case Interpolation::linear:
      return list.rotation ? slerp(a.value, b.value, u) : combine(a.value, 1 - u, b.value, u);
    case Interpolation::hermite:
    case Interpolation::bezier:
      break;
  }
  if (list.rotation) {
    return slerp(slerp(a.value, b.value, u), slerp(a.out, b.in, u), 2 * u * (1 - u));
  }
  const double u2 = u * u;
  const double u3 = u2 * u;
  const double v = 1 - u;
  if (list.interpolation == Interpolation::hermite) {
    const Double4 values = combine(a.value, 2 * u3 - 3 * u2 + 1, b.value, 3 * u2 - 2 * u3);
    return combine(values, 1, combine(a.out, u3 - 2 * u2 + u, b.in, u3 - u2), 1);
  }
  const Double4 inner = combine(a.out, 3 * u * v * v, b.in, 3 * u2 * v);
  return combine(combine(a.value, v * v * v, b.value, u3), 1, inner, 1);
}

Curve make_curve(const KeyList& list, const Window& window, const CurveOptions& options) {
  const Playback playback = play(list, window, options.extrapolate);
  if (playback.constant) {
    return constant_curve(list, *playback.constant);
  }
  if (list.interpolation == Interpolation::none) {
    return step_curve(list, playback);
  }
  CurveWriter writer(has_tangents(list) ? CurveMode::cubic : CurveMode::linear, list.components,
                     list.rotation);
  for (const auto& piece : playback.pieces) {
    if (piece.jump) {
      writer.jump({piece.t0, evaluate(list, piece, piece.u0), {}});
    }
    add_piece(list, piece, options, writer);
  }
  if (playback.jump_at_end) {
    writer.jump({playback.pieces.back().t1, playback.last->value, {}});
  }
  return writer.finish(list.offset);
}

Curve make_angle_curve(const KeyList& list, const Window& window, const CurveOptions& options) {
  const Playback playback = play(list, window, options.extrapolate);
  AngleCurve curve(list, options);
  if (playback.constant) {
    curve.key(0, *playback.constant);
    return curve.finish();
  }
  for (const auto& piece : playback.pieces) {
    curve.add(piece);
  }
  if (playback.jump_at_end || list.interpolation == Interpolation::none) {
    curve.key(playback.pieces.back().t1, playback.last->value);
  }
  return curve.finish();
}

bool shows_rest(const Curve& curve, const Double4& rest) {
  if (curve.times.size() != 1) {
    return false;
  }
  const auto same = [&](double sign) {
    for (unsigned i = 0; i < curve.components; ++i) {
      if (curve.values[i] != to_float(sign * rest[i])) {
        return false;
      }
    }
    return true;
  };
  return same(1) || (curve.components == 4 && same(-1));
}

}  // namespace thaw::mdx
