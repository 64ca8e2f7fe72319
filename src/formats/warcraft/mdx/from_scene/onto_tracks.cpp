#include "formats/warcraft/mdx/from_scene/onto_tracks.hpp"

#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/from_scene/track_builder.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace thaw::mdx {
namespace {

bool lies_in(std::int64_t frame, const Window& window) {
  return frame >= window.start && frame <= window.end;
}

bool lies_in_any(std::int64_t frame, std::span<const Window> windows) {
  return std::any_of(windows.begin(), windows.end(),
                     [&](const Window& window) { return lies_in(frame, window); });
}

// --- the time line

/// Where a frame goes: nowhere, or to several places if its sequence was copied.
class Timing {
 public:
  Timing(std::vector<Window> was, std::span<const SequenceMove> moves) : was_(std::move(was)), moves_(moves) {
    for (const SequenceMove& move : moves) {
      now_.push_back(move.now);
    }
  }

  [[nodiscard]] bool is_same() const {
    bool same = was_.size() == moves_.size();
    for (std::size_t i = 0; same && i < moves_.size(); ++i) {
      same = moves_[i].was == static_cast<std::ptrdiff_t>(i) && moves_[i].now.start == was_[i].start &&
             moves_[i].now.end == was_[i].end;
    }
    return same;
  }

  [[nodiscard]] std::set<std::int64_t> places_of(std::int64_t frame) const {
    std::set<std::int64_t> places;
    for (const SequenceMove& move : moves_) {
      if (move.was < 0 || !lies_in(frame, was_[static_cast<std::size_t>(move.was)])) {
        continue;
      }
      const std::int64_t moved = move.now.start + frame - was_[static_cast<std::size_t>(move.was)].start;
      if (lies_in(moved, move.now)) {
        places.insert(moved);
      }
    }
    if (!lies_in_any(frame, was_) && !lies_in_any(frame, now_)) {
      places.insert(frame);
    }
    return places;
  }

 private:
  std::vector<Window> was_;
  std::vector<Window> now_;
  std::span<const SequenceMove> moves_;
};

/// Keys of a track, whose words stay as they are but for the frame.
class KeyWords {
 public:
  explicit KeyWords(const Track& track) : stride_(track.stride()) {
    for (std::size_t key = 0; key < track.size(); ++key) {
      add(track.frame(key), track.words.data() + key * stride_);
    }
  }

  void add(std::int64_t frame, const std::uint32_t* words) {
    Words copy(words, words + stride_);
    copy.front() = static_cast<std::uint32_t>(static_cast<std::int32_t>(frame));
    keys_.emplace(frame, std::move(copy));
  }
  template <class IsRemoved>
  void remove(const IsRemoved& is_removed) {
    std::erase_if(keys_, [&](const auto& key) { return is_removed(key.first); });
  }
  /// In the order of time; those of one frame stay in theirs.
  [[nodiscard]] Array<std::uint32_t> sorted() const {
    Array<std::uint32_t> words;
    for (const auto& key : keys_) {
      words.insert(words.end(), key.second.begin(), key.second.end());
    }
    return words;
  }

 private:
  using Words = std::vector<std::uint32_t>;
  std::size_t stride_;
  std::multimap<std::int64_t, Words> keys_;
};

bool retime(Track& track, const Timing& timing) {
  KeyWords keys(track);
  keys.remove([](std::int64_t) { return true; });
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (const std::int64_t place : timing.places_of(track.frame(key))) {
      keys.add(place, track.words.data() + key * track.stride());
    }
  }
  track.words = keys.sorted();
  return track.words.empty();
}

void retime(EventTrack& track, const Timing& timing) {
  std::set<std::int64_t> frames;
  for (const std::int32_t frame : track.frames) {
    frames.merge(timing.places_of(frame));
  }
  track.frames.clear();
  for (const std::int64_t frame : frames) {
    track.frames.push_back(static_cast<std::int32_t>(frame));
  }
}

// --- keys

/// Keys are fitted to curves in both directions, and fast turns have few of them: of values, and in radians.
constexpr double kCurveNoise = 5e-4;
constexpr double kTurnNoise = 1e-3;

bool same_key(const Track& a, std::size_t i, const Track& b, std::size_t j) {
  if (a.frame(i) != b.frame(j)) {
    return false;
  }
  const unsigned parts = a.has_tangents() ? 3 : 1;
  for (unsigned part = 0; part < parts; ++part) {
    const Vec4 x = a.value(i, part);
    const Vec4 y = b.value(j, part);
    if (!std::equal(x.begin(), x.end(), y.begin(), [](float p, float q) { return same_float(p, q); })) {
      return false;
    }
  }
  return true;
}

std::vector<std::size_t> keys_in(const Track& track, const Window& window) {
  std::vector<std::size_t> keys;
  for (std::size_t key = 0; key < track.size(); ++key) {
    if (lies_in(track.frame(key), window)) {
      keys.push_back(key);
    }
  }
  return keys;
}

/// Two tracks of one property, made ready for playing once.
class Comparison {
 public:
  Comparison(const Track& a, const Track& b, double far)
      : a_(a), b_(b), a_list_(prepare(comparison_use(a))), b_list_(prepare(comparison_use(b))), far_(far) {}

  [[nodiscard]] bool same_in(const Window& window) const {
    return same_keys(window) || (!track_type(a_.tag).integer && same_curve(window));
  }

 private:
  [[nodiscard]] bool same_keys(const Window& window) const {
    const auto a = keys_in(a_, window);
    const auto b = keys_in(b_, window);
    return a_.interpolation == b_.interpolation &&
           std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](std::size_t i, std::size_t j) { return same_key(a_, i, b_, j); });
  }

  [[nodiscard]] double largest() const {
    double most = 1;
    for (const Key& key : a_list_.keys) {
      for (const double part : key.value) {
        most = std::max(most, std::abs(part));
      }
    }
    return most;
  }

  [[nodiscard]] bool same_curve(const Window& window) const {
    const TrackPlayer a(a_list_, window);
    const TrackPlayer b(b_list_, window);
    const double tolerance = a_list_.rotation ? kTurnNoise : std::max(far_, kCurveNoise * largest());
    const auto same_at = [&](double time) {
      return apart(a.at(time), b.at(time), a_list_.rotation) <= tolerance;
    };
    const auto same_within = [&](const Playback& playback) {
      return std::all_of(playback.pieces.begin(), playback.pieces.end(), [&](const Piece& piece) {
        constexpr std::array kShares = {0.0, 0.21, 0.5, 0.77, 0.98};
        return std::all_of(kShares.begin(), kShares.end(),
                           [&](double share) { return same_at(piece.t0 + (piece.t1 - piece.t0) * share); });
      });
    };
    return same_at(0) && same_within(a.playback()) && same_within(b.playback());
  }

  const Track& a_;
  const Track& b_;
  KeyList a_list_;
  KeyList b_list_;
  double far_;
};

/// Keys of one interpolation in terms of another.
class Translator {
 public:
  Translator(const Track& from, Interpolation to) : from_(from), to_(to) {}

  /// Straight pieces and both kinds of smooth ones become smooth.
  [[nodiscard]] bool can() const {
    const bool smooth = to_ == Interpolation::hermite || to_ == Interpolation::bezier;
    return from_.interpolation == to_ || (smooth && from_.interpolation != Interpolation::none);
  }

  /// Of the key `at` among neighbours of one sequence.
  [[nodiscard]] std::vector<std::uint32_t> words(const std::vector<std::size_t>& keys, std::size_t at) const {
    const std::uint32_t* key = from_.words.data() + keys[at] * from_.stride();
    const bool squads = from_.has_tangents() && from_.components() == 4;  // the same in both
    if (from_.interpolation == to_ || squads) {
      return {key, key + from_.stride()};
    }
    std::vector<std::uint32_t> result(key, key + 1 + from_.components());
    const Vec4 here = from_.value(keys[at]);
    const Vec4 before = from_.value(keys[at == 0 ? at : at - 1]);
    const Vec4 after = from_.value(keys[std::min(at + 1, keys.size() - 1)]);
    for (const bool in : {true, false}) {
      const Vec4 tangent = from_.has_tangents() ? from_.value(keys[at], in ? 1 : 2) : Vec4{};
      for (unsigned i = 0; i < from_.components(); ++i) {
        const float straight = in ? here.at(i) - before.at(i) : after.at(i) - here.at(i);
        result.push_back(rules::same_bits<std::uint32_t>(
            translated(here.at(i), from_.has_tangents() ? tangent.at(i) : straight, in)));
      }
    }
    return result;
  }

 private:
  /// A tangent of Hermite, or the difference to the next value, becomes an inner point of Bézier at a third
  /// of it, and back. A squad between q and r with the inner points q and r is the arc.
  [[nodiscard]] float translated(float here, float tangent, bool in) const {
    if (from_.components() == 4) {
      return here;
    }
    if (from_.interpolation == Interpolation::bezier) {
      return in ? 3 * (here - tangent) : 3 * (tangent - here);
    }
    return to_ == Interpolation::hermite ? tangent : in ? here - tangent / 3 : here + tangent / 3;
  }

  const Track& from_;
  Interpolation to_;
};

}  // namespace

void retime(Document& document, std::span<const SequenceMove> moves) {
  const TimeLines lines(document);
  const Timing timing(lines.sequences, moves);
  const bool sound = std::all_of(moves.begin(), moves.end(), [&](const SequenceMove& move) {
    return move.was < static_cast<std::ptrdiff_t>(lines.sequences.size());
  });
  if (!sound || timing.is_same()) {
    return;
  }
  edit_tracks(document, [&](Track& track, const TrackFacts&) {
    return track.global_sequence < 0 && track.components() > 0 && retime(track, timing);
  });
  for_each<EventObjects>(document, [&](EventObject& object, std::size_t) {
    if (object.track && object.track->global_sequence < 0) {
      retime(*object.track, timing);
    }
  });
}

TrackMerge merge_track(Track& original, const Track& before, const Track& after,
                       std::span<const Window> sequences, std::span<const Window> original_windows,
                       double far) {
  const bool one_clock = original.global_sequence == before.global_sequence &&
                         before.global_sequence == after.global_sequence && original.tag == after.tag &&
                         original.components() > 0;
  const Translator translator(after, original.interpolation);
  if (!one_clock) {
    original = after;
    return TrackMerge::rewritten;
  }
  const Comparison comparison(before, after, original.tag == FourCC{"KGTR"} ? far : 0);
  KeyWords keys(original);
  bool edited = false;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Window& window = sequences[i];
    if (comparison.same_in(window)) {
      continue;
    }
    const Window& place = i < original_windows.size() ? original_windows[i] : window;
    edited = true;
    if (!translator.can()) {
      original = after;
      return TrackMerge::rewritten;
    }
    keys.remove([&](std::int64_t frame) { return lies_in(frame, place); });
    const auto changed = keys_in(after, window);
    for (std::size_t at = 0; at < changed.size(); ++at) {
      keys.add(place.start + after.frame(changed[at]) - window.start, translator.words(changed, at).data());
    }
  }
  if (edited) {
    original.words = keys.sorted();
  }
  return TrackMerge::merged;
}

}  // namespace thaw::mdx
