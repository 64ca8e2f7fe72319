// Keys and tracks that nobody would miss (warcraft3-rendering.md#playing-a-track).
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Keys that one segment may take the place of: bounds the work for a run of equal keys.
constexpr std::size_t kMaxRun = 64;
/// What rounding to float hides anyway.
constexpr double kRounding = 1e-7;
/// Dropping keys can make further ones redundant.
constexpr int kMaxPasses = 64;

constexpr std::array kInner = {0.25, 0.5, 0.75};

double magnitude(const Double4& v) { return std::sqrt(dot(v, v)); }

bool same_value(const KeyList& list, const Double4& a, const Double4& b) {
  return a == b || (list.rotation && a == negated(b));
}

/// Decides over the keys of one track.
class KeyThinner {
 public:
  KeyThinner(const KeyList& list, std::span<const Window> windows, double tolerance)
      : list_(list), tolerance_(tolerance), covers_(list.keys.size(), 0), removed_(list.keys.size(), false) {
    for (const auto& window : windows) {
      ranges_.push_back(range(window));
      for (std::size_t k = ranges_.back().first; k < ranges_.back().last; ++k) {
        ++covers_[k];
      }
    }
    for (std::size_t w = 0; w < windows.size(); ++w) {
      thin(ranges_[w]);
    }
    drop_unreached(windows);
  }

  [[nodiscard]] bool is_removed(std::size_t key) const { return removed_[key]; }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;  ///< one past the end
  };

  [[nodiscard]] Range range(const Window& window) const;
  void thin(const Range& range);
  void thin_constant(const Range& range);
  void thin_steps(const Range& range);
  void thin_segments(const Range& range);
  void drop_unreached(std::span<const Window> windows);
  /// Also between the keys and from the last back to the first.
  [[nodiscard]] bool stays(const Range& range, const Double4& value) const;
  [[nodiscard]] bool within(std::size_t from, std::size_t to) const;
  [[nodiscard]] bool near(const Double4& a, const Double4& b) const {
    const double hidden = list_.rotation ? kRounding : kRounding * magnitude(a);
    return same_value(list_, a, b) || difference(list_, a, b) <= std::max(tolerance_, hidden);
  }
  [[nodiscard]] Double4 between(std::size_t from, std::size_t to, double u) const {
    return evaluate(list_, Piece{0, 1, &list_.keys[from], &list_.keys[to], 0, 1, false}, u);
  }
  /// Sequences that overlap share keys, and what is redundant in one may not be in the other.
  void drop(std::size_t key) { removed_[key] = covers_[key] == 1; }

  const KeyList& list_;
  double tolerance_;
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> covers_;  ///< in how many windows each key lies
  std::vector<bool> removed_;
};

KeyThinner::Range KeyThinner::range(const Window& window) const {
  const auto& keys = list_.keys;
  const auto first = std::lower_bound(keys.begin(), keys.end(), window.start,
                                      [](const Key& key, std::int64_t frame) { return key.frame < frame; });
  const auto last = std::upper_bound(first, keys.end(), window.end,
                                     [](std::int64_t frame, const Key& key) { return frame < key.frame; });
  return {static_cast<std::size_t>(first - keys.begin()), static_cast<std::size_t>(last - keys.begin())};
}

void KeyThinner::thin(const Range& range) {
  if (range.first == range.last) {
    return;
  }
  if (stays(range, list_.keys[range.first].value)) {
    thin_constant(range);
  } else if (list_.interpolation == Interpolation::none) {
    thin_steps(range);
  } else {
    thin_segments(range);
  }
}

bool KeyThinner::stays(const Range& range, const Double4& value) const {
  for (std::size_t k = range.first; k < range.last; ++k) {
    const std::size_t next = k + 1 == range.last ? range.first : k + 1;
    if (!near(list_.keys[k].value, value)) {
      return false;
    }
    if (list_.interpolation == Interpolation::none || next == k) {
      continue;
    }
    for (const double u : kInner) {
      if (!near(between(k, next, u), value)) {
        return false;
      }
    }
  }
  return true;
}

void KeyThinner::thin_constant(const Range& range) {
  // Without keys the window plays the default of the track's kind.
  const bool none_needed = stays(range, list_.fallback);
  for (std::size_t k = range.first + (none_needed ? 0 : 1); k < range.last; ++k) {
    drop(k);
  }
}

void KeyThinner::thin_steps(const Range& range) {
  for (std::size_t k = range.first + 1; k < range.last; ++k) {
    if (list_.keys[k].value == list_.keys[k - 1].value) {
      drop(k);
    }
  }
}

/// Goes as far as one segment stays near the original, then begins the next. The first and the last key stay:
/// the way around the loop is between them.
void KeyThinner::thin_segments(const Range& range) {
  std::size_t from = range.first;
  while (from + 1 < range.last) {
    std::size_t to = from + 1;
    while (to + 1 < range.last && to - from < kMaxRun && within(from, to + 1)) {
      ++to;
    }
    for (std::size_t k = from + 1; k < to; ++k) {
      drop(k);
    }
    from = to;
  }
}

bool KeyThinner::within(std::size_t from, std::size_t to) const {
  const auto& keys = list_.keys;
  const auto length = static_cast<double>(keys[to].frame - keys[from].frame);
  const auto share = [&](double frame) { return (frame - static_cast<double>(keys[from].frame)) / length; };
  const bool straight = list_.interpolation == Interpolation::linear && !list_.rotation;
  for (std::size_t k = from; k < to; ++k) {
    const auto start = static_cast<double>(keys[k].frame);
    const auto span = static_cast<double>(keys[k + 1].frame) - start;
    if (k > from && !near(keys[k].value, between(from, to, share(start)))) {
      return false;
    }
    for (const double u : kInner) {
      if (!straight && !near(between(k, k + 1, u), between(from, to, share(start + u * span)))) {
        return false;
      }
    }
  }
  return true;
}

void KeyThinner::drop_unreached(std::span<const Window> windows) {
  const bool global = windows.front().global;
  const bool late = global && ranges_.front().first == ranges_.front().last;
  for (std::size_t k = 0; k < list_.keys.size(); ++k) {
    // A global sequence that ends before the first key plays that key.
    removed_[k] = removed_[k] || (covers_[k] == 0 && !(late && k == 0));
  }
  if (std::find(removed_.begin(), removed_.end(), false) == removed_.end()) {
    removed_.front() = false;  // the track stays; whether it is needed at all is the business of another step
  }
}

bool strictly_increasing(const Track& track) {
  for (std::size_t k = 1; k < track.size(); ++k) {
    if (track.frame(k) <= track.frame(k - 1)) {
      return false;
    }
  }
  return true;
}

std::size_t thin_once(Track& track, std::span<const Window> windows, double tolerance) {
  const KeyList list = prepare(comparison_use(track));
  if (list.repaired_values || track.size() < 2) {
    return 0;
  }
  const KeyThinner thinner(list, windows, tolerance);
  const std::size_t stride = track.stride();
  Array<std::uint32_t> words;
  for (std::size_t k = 0; k < track.size(); ++k) {
    if (!thinner.is_removed(k)) {
      const auto at = track.words.begin() + static_cast<std::ptrdiff_t>(k * stride);
      words.insert(words.end(), at, at + static_cast<std::ptrdiff_t>(stride));
    }
  }
  const std::size_t removed = track.size() - words.size() / stride;
  track.words = std::move(words);
  return removed;
}

bool is_at_rest(const Track& track, std::span<const Window> windows, const Double4& rest, double tolerance) {
  const KeyList list = prepare(comparison_use(track));
  const double allowed = std::max(tolerance, kRounding * magnitude(rest));
  const auto near = [&](const Double4& value) { return difference(list, value, rest) <= allowed; };
  if (list.repaired_values) {
    return false;
  }
  return std::all_of(windows.begin(), windows.end(), [&](const Window& window) {
    const Playback playback = play(list, window, false);
    if (playback.constant) {
      return near(*playback.constant);
    }
    return std::all_of(playback.pieces.begin(), playback.pieces.end(), [&](const Piece& piece) {
      const auto inner = [&](double u) { return near(evaluate(list, piece, u)); };
      return near(piece.from->value) && near(piece.to->value) &&
             std::all_of(kInner.begin(), kInner.end(), inner);
    });
  });
}

}  // namespace

double difference(const KeyList& list, const Double4& a, const Double4& b) {
  return list.rotation ? scene::rotation_angle(a, b) : magnitude(combine(a, 1, b, -1));
}

std::size_t thin_track(Track& track, std::span<const Window> windows, double tolerance) {
  if (!strictly_increasing(track)) {
    return 0;
  }
  // What is allowed is used up by the first pass.
  std::size_t removed = thin_once(track, windows, tolerance);
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const std::size_t now = thin_once(track, windows, 0);
    removed += now;
    if (now == 0) {
      break;
    }
  }
  return removed;
}

double Thinning::of(const Track& track, const TrackFacts& facts) const {
  return rounded.contains(facts.place) ? 0 : tolerance * units.of(track, facts);
}

std::size_t drop_idle_tracks(Document& document, const Thinning& thinning) {
  std::size_t removed = 0;
  edit_tracks(document, [&](const Track& track, const TrackFacts& facts) {
    const auto windows = thinning.lines.of(track);
    const bool idle = !facts.fixed && facts.rest && !windows.empty() &&
                      is_at_rest(track, windows, *facts.rest, thinning.of(track, facts));
    removed += idle ? 1U : 0U;
    return idle;
  });
  return removed;
}

std::size_t drop_redundant_keys(Document& document, Thinning& thinning) {
  std::size_t removed = 0;
  edit_tracks(document, [&](Track& track, const TrackFacts& facts) {
    const auto windows = thinning.lines.of(track);
    if (!facts.fixed && !windows.empty()) {
      removed += thin_track(track, windows, thinning.of(track, facts));
      thinning.rounded.insert(facts.place);
    }
    return false;
  });
  return removed;
}

}  // namespace thaw::mdx
