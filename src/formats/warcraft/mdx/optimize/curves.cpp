// Tracks with tangents fitted anew: as lines, or with fewer turns, whichever is smaller.
#include "formats/warcraft/mdx/from_scene/track_builder.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <algorithm>
#include <limits>

namespace thaw::mdx {
namespace {

/// Lines are looked for through at least this many parts of a piece between two keys.
constexpr int kParts = 8;
/// Keys of a track with tangents are rarely more; whoever has more wastes time.
constexpr std::size_t kMostKeys = std::size_t{1} << 14U;
/// The same of the points that its curves are divided by.
constexpr std::size_t kMostPoints = std::size_t{1} << 17U;

/// What a window plays of a track.
struct Played {
  Window window;
  scene::Curve smooth;
  scene::Curve lines;
};

/// The same curve through many points with lines between, that stay as near as is requested.
class Divider {
 public:
  Divider(const KeyList& list, double tolerance, std::size_t most_points)
      : list_(list), tolerance_(tolerance), most_points_(most_points) {
    curve_.mode = scene::CurveMode::linear;
    curve_.components = list.components;
  }

  /// None where it takes too many points.
  std::optional<scene::Curve> divide(const Playback& playback) {
    for (const Piece& piece : playback.pieces) {
      const Sample begin = at(piece, piece.t0 * 1000);
      const Sample end = at(piece, piece.t1 * 1000);
      add(begin);
      Sample before = begin;
      for (int part = 1; part <= kParts; ++part) {
        const Sample next =
            part == kParts ? end : at(piece, std::round(mixed(begin.frame, end.frame, part, kParts)));
        if (next.frame > before.frame && next.frame <= end.frame) {
          refine(piece, before, next);
          before = next;
        }
      }
    }
    return curve_.times.size() > most_points_ ? std::nullopt : std::optional(std::move(curve_));
  }

 private:
  struct Sample {
    double frame = 0;  ///< whole, but where the window's float time is not: keys stand at whole milliseconds
    double u = 0;
    Double4 value{};
  };

  static double mixed(double a, double b, int part, int parts) { return a + (b - a) * part / parts; }

  [[nodiscard]] Sample at(const Piece& piece, double frame) const {
    const double share = std::clamp((frame / 1000 - piece.t0) / (piece.t1 - piece.t0), 0.0, 1.0);
    const double u = piece.u0 + (piece.u1 - piece.u0) * share;
    return {frame, u, evaluate(list_, piece, u)};
  }

  void add(const Sample& moment) {
    const auto time = static_cast<float>(moment.frame / 1000);
    if (!curve_.times.empty() && !(time > curve_.times.back())) {
      return;
    }
    curve_.times.push_back(time);
    for (unsigned i = 0; i < list_.components; ++i) {
      curve_.values.push_back(to_float(moment.value[i]));
    }
  }

  void refine(const Piece& piece, const Sample& a, const Sample& b) {
    const double middle = std::round((a.frame + b.frame) / 2);
    const bool divisible = middle > a.frame && middle < b.frame && curve_.times.size() <= most_points_;
    if (!divisible || (is_steady(piece, a.u, b.u) && is_near(piece, a, b))) {
      add(b);
      return;
    }
    const Sample between = at(piece, middle);
    refine(piece, a, between);
    refine(piece, between, b);
  }

  [[nodiscard]] bool is_near(const Piece& piece, const Sample& a, const Sample& b) const {
    for (int part = 1; part < 4; ++part) {
      const Double4 line = list_.rotation ? slerp(a.value, b.value, part / 4.0)
                                          : combine(a.value, 1 - part / 4.0, b.value, part / 4.0);
      if (difference(list_, line, at(piece, mixed(a.frame, b.frame, part, 4)).value) > tolerance_) {
        return false;
      }
    }
    return true;
  }

  /// A turn goes the shorter way between a point of the arc of its ends and one of the arc of its tangents.
  /// Where these are half a turn apart it takes the other way, and may be back between two looks. How far
  /// they are apart changes no faster than both arcs together.
  [[nodiscard]] bool is_steady(const Piece& piece, double u0, double u1) const {
    if (!list_.rotation) {
      return true;
    }
    const Key& a = *piece.from;
    const Key& b = *piece.to;
    const auto apart = [&](double u) {
      return std::abs(dot(slerp(a.value, b.value, u), slerp(a.out, b.in, u)));
    };
    const double speed = (scene::rotation_angle(a.value, b.value) + scene::rotation_angle(a.out, b.in)) / 2;
    return apart(u0) + apart(u1) > speed * std::abs(u1 - u0);
  }

  const KeyList& list_;
  double tolerance_;
  std::size_t most_points_;
  scene::Curve curve_;
};

bool has_jumps(const Playback& playback) {
  return playback.jump_at_end || std::any_of(playback.pieces.begin(), playback.pieces.end(),
                                             [](const Piece& piece) { return piece.jump; });
}

std::vector<Window> in_order(std::span<const Window> windows) {
  std::vector<Window> sorted(windows.begin(), windows.end());
  std::sort(sorted.begin(), sorted.end(), [](const Window& a, const Window& b) { return a.start < b.start; });
  return sorted;
}

class TrackFitter {
 public:
  TrackFitter(const Track& track, double tolerance)
      : track_(track), tolerance_(tolerance), list_(prepare(comparison_use(track))) {
    rule_.tag = track.tag;
    rule_.convert = [](const Double4& value, bool) { return value; };
    rule_.tolerance = tolerance * (1 - kOfDividing);
    rule_.rotation = list_.rotation;
  }

  /// The smallest track that shows the same; none that has no fewer words than `most`.
  [[nodiscard]] std::optional<Track> fit(std::span<const Window> windows, std::size_t most) {
    if (list_.repaired_values || list_.keys.size() > kMostKeys || !play_all(in_order(windows))) {
      return std::nullopt;
    }
    std::optional<Track> best;
    for (scene::Curve Played::* curve : {&Played::lines, &Played::smooth}) {
      TrackBuilder builder(rule_, track_.components());
      for (const Played& played : played_) {
        builder.add({played.window.start, std::max(played.window.start, played.window.end), -1},
                    played.*curve);
      }
      std::optional<Track> candidate = builder.finish(track_.global_sequence, list_.fallback);
      if (candidate && candidate->words.size() < (best ? best->words.size() : most) &&
          shows_the_same(*candidate)) {
        best = std::move(candidate);
      }
    }
    return best;
  }

 private:
  /// This much of what is allowed goes into the points, the rest into what is fitted to them.
  static constexpr double kOfDividing = 0.25;

  [[nodiscard]] bool play_all(const std::vector<Window>& windows) {
    std::int64_t free = std::numeric_limits<std::int64_t>::min();
    std::size_t points = kMostPoints;
    for (const Window& window : windows) {
      const Playback playback = play(list_, window, false);
      if (window.start < free || has_jumps(playback) || (window.global && playback.constant)) {
        return false;
      }
      free = window.end + 1;
      if (playback.constant && *playback.constant == list_.fallback) {
        continue;  // as it is without keys
      }
      CurveOptions options;
      options.rotation_tolerance = static_cast<float>(tolerance_ * kOfDividing);
      Played played{window, make_curve(list_, window, options), {}};
      if (playback.constant) {
        played.lines = played.smooth;
      } else if (auto lines = Divider(list_, tolerance_ * kOfDividing, points).divide(playback)) {
        points -= lines->times.size();
        played.lines = std::move(*lines);
      } else {
        return false;
      }
      played_.push_back(std::move(played));
    }
    return !played_.empty();
  }

  /// Looked at where the curve was divided, and between: nothing happens anywhere else.
  [[nodiscard]] bool shows_the_same(const Track& candidate) const {
    const KeyList list = prepare(comparison_use(candidate));
    return std::all_of(played_.begin(), played_.end(), [&](const Played& played) {
      const TrackPlayer was(list_, played.window);
      const TrackPlayer is(list, played.window);
      const auto& times = played.lines.times;
      const auto same = [&](double time) {
        return difference(list_, was.at(time), is.at(time)) <= tolerance_;
      };
      for (std::size_t i = 0; i < times.size(); ++i) {
        const double time = times[i];
        const double next = times[std::min(i + 1, times.size() - 1)];
        if (!same(time) || !same((time + next) / 2)) {
          return false;
        }
      }
      return true;
    });
  }

  const Track& track_;
  double tolerance_;
  KeyList list_;
  TrackRule rule_;
  std::vector<Played> played_;
};

}  // namespace

std::size_t fit_curves(Document& document, Thinning& thinning, bool keys_follow) {
  std::size_t fitted_tracks = 0;
  if (thinning.tolerance <= 0) {
    return fitted_tracks;  // what is left then is not measured
  }
  edit_tracks(document, [&](Track& track, const TrackFacts& facts) {
    const auto windows = thinning.lines.of(track);
    if (!track.has_tangents() || facts.fixed || windows.empty() || track_type(track.tag).integer ||
        comparison_use(track).conversion == Conversion::visibility) {
      return false;
    }
    const double tolerance = thinning.of(track, facts);
    Track thinned = track;
    if (keys_follow) {
      thin_track(thinned, windows, tolerance);
    }
    if (auto fitted = TrackFitter(track, tolerance).fit(windows, thinned.words.size())) {
      ++fitted_tracks;
      track = std::move(*fitted);
      thinning.rounded.insert(facts.place);
    }
    return false;
  });
  return fitted_tracks;
}

}  // namespace thaw::mdx
