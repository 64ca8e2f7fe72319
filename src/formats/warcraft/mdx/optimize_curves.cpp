// Tracks with tangents fitted anew: as lines, or with fewer turns, whichever is smaller.
#include "formats/warcraft/mdx/from_scene/track_maker.hpp"
#include "formats/warcraft/mdx/optimize_steps.hpp"

#include <algorithm>
#include <limits>

namespace thaw::mdx {
namespace {

/// Lines are looked for through this many points of a piece between two keys.
constexpr int kLooks = 8;
/// Keys of a track with tangents are rarely more; whoever has more wastes time.
constexpr std::size_t kMostKeys = std::size_t{1} << 14U;

/// What a window plays of a track.
struct Played {
  ClipSpan span;
  scene::Curve smooth;
  scene::Curve lines;
};

/// The same curve through many points with lines between.
scene::Curve divided(const KeyList& list, const Playback& playback) {
  scene::Curve curve;
  curve.mode = scene::CurveMode::linear;
  curve.components = list.components;
  const auto add = [&](double time, const Double4& value) {
    const auto at = static_cast<float>(time);
    if (!curve.times.empty() && !(at > curve.times.back())) {
      return;
    }
    curve.times.push_back(at);
    for (unsigned i = 0; i < list.components; ++i) {
      curve.values.push_back(to_float(value[i]));
    }
  };
  for (const Piece& piece : playback.pieces) {
    for (int look = 0; look < kLooks; ++look) {
      // Keys stand at whole milliseconds, and so do these points.
      const double share = static_cast<double>(look) / kLooks;
      const double time = std::round((piece.t0 + (piece.t1 - piece.t0) * share) * 1000) / 1000;
      const double at = look == 0 ? 0 : std::clamp((time - piece.t0) / (piece.t1 - piece.t0), 0.0, 1.0);
      add(look == 0 ? piece.t0 : time, evaluate(list, piece, piece.u0 + (piece.u1 - piece.u0) * at));
    }
  }
  const Piece& last = playback.pieces.back();
  add(last.t1, evaluate(list, last, last.u1));
  return curve;
}

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
  TrackFitter(const Track& track, double tolerance) : track_(track), list_(prepare(comparison_use(track))) {
    rule_.tag = track.tag;
    rule_.convert = [](const Double4& value, bool) { return value; };
    rule_.tolerance = tolerance;
    rule_.rotation = list_.rotation;
  }

  /// The smallest track that shows the same; none that is smaller than the original.
  [[nodiscard]] std::optional<Track> fit(std::span<const Window> windows) {
    if (list_.repaired_values || list_.keys.size() > kMostKeys || !play_all(in_order(windows))) {
      return std::nullopt;
    }
    std::optional<Track> best;
    for (scene::Curve Played::* curve : {&Played::lines, &Played::smooth}) {
      TrackMaker maker(rule_, track_.components());
      for (const Played& played : played_) {
        maker.add(played.span, played.*curve);
      }
      std::optional<Track> made = maker.finish(track_.global_sequence, list_.fallback);
      if (made && made->words.size() < (best ? best->words.size() : track_.words.size())) {
        best = std::move(made);
      }
    }
    return best;
  }

 private:
  [[nodiscard]] bool play_all(const std::vector<Window>& windows) {
    std::int64_t free = std::numeric_limits<std::int64_t>::min();
    for (const Window& window : windows) {
      const Playback playback = play(list_, window, false);
      if (window.start < free || has_jumps(playback) || (window.global && playback.constant)) {
        return false;
      }
      free = window.end + 1;
      if (playback.constant && *playback.constant == list_.fallback) {
        continue;  // as it is without keys
      }
      Played& played = played_.emplace_back();
      played.span = {window.start, std::max(window.start, window.end), -1};
      CurveOptions options;
      options.rotation_tolerance = static_cast<float>(rule_.tolerance / 4);
      played.smooth = make_curve(list_, window, options);
      played.lines = playback.constant ? played.smooth : divided(list_, playback);
    }
    return !played_.empty();
  }

  const Track& track_;
  KeyList list_;
  TrackRule rule_;
  std::vector<Played> played_;
};

}  // namespace

std::size_t fit_curves(Document& document, const TimeLines& lines, double tolerance, const Units& units) {
  std::size_t fitted_tracks = 0;
  if (tolerance <= 0) {
    return fitted_tracks;  // what is left then is not measured
  }
  edit_tracks(document, [&](Track& track, const TrackFacts& facts) {
    const auto windows = lines.of(track);
    if (!track.has_tangents() || facts.fixed || windows.empty() || track_type(track.tag).integer ||
        comparison_use(track).conversion == Conversion::visibility) {
      return false;
    }
    if (auto fitted = TrackFitter(track, tolerance * units.of(track, facts)).fit(windows)) {
      ++fitted_tracks;
      track = std::move(*fitted);
    }
    return false;
  });
  return fitted_tracks;
}

}  // namespace thaw::mdx
