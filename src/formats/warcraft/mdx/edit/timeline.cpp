#include "formats/warcraft/mdx/edit/timeline.hpp"

#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace thaw::mdx {
namespace {

using rules::is_rotation;

/// The evaluator has Y up.
Vec4 to_file(const Double4& v, bool rotation) {
  return scene::narrow(rotation ? Double4{v[0], -v[2], v[1], v[3]} : v);
}

TrackUse file_use(const Track& track) {
  TrackUse use = comparison_use(track);
  if (is_rotation(track.tag)) {
    use.conversion = Conversion::rotation;
  }
  return use;
}

/// A key as numbers of its track.
struct Key4 {
  std::int64_t frame = 0;
  Vec4 value{};
  Vec4 in{};
  Vec4 out{};
};

Key4 key_of(const Track& track, std::size_t key) {
  const bool curved = track.has_tangents();
  return {track.frame(key), track.value(key), curved ? track.value(key, 1) : Vec4{},
          curved ? track.value(key, 2) : Vec4{}};
}

void put_numbers(const Vec4& numbers, std::size_t count, std::uint32_t* words) {
  std::memcpy(words, numbers.data(), count * sizeof(float));
}

std::vector<std::uint32_t> words_of(const Track& track, const Key4& key) {
  const std::size_t count = track.components();
  std::vector<std::uint32_t> words(track.stride());
  words[0] = static_cast<std::uint32_t>(key.frame);
  put_numbers(key.value, count, &words[1]);
  if (track.has_tangents()) {
    put_numbers(key.in, count, &words[1 + count]);
    put_numbers(key.out, count, &words[1 + 2 * count]);
  }
  return words;
}

void put_key(Track& track, std::size_t at, const Key4& key) {
  const auto words = words_of(track, key);
  std::copy(words.begin(), words.end(),
            track.words.begin() + static_cast<std::ptrdiff_t>(at * track.stride()));
}

/// Into its place by time; one of that frame is replaced.
void insert_key(Track& track, const Key4& key) {
  std::size_t at = 0;
  while (at < track.size() && track.frame(at) < key.frame) {
    ++at;
  }
  if (at < track.size() && track.frame(at) == key.frame) {
    put_key(track, at, key);
    return;
  }
  const auto words = words_of(track, key);
  track.words.insert(track.words.begin() + static_cast<std::ptrdiff_t>(at * track.stride()), words.begin(),
                     words.end());
}

/// a · s + b · t
Vec4 mix(const Vec4& a, double s, const Vec4& b, double t) {
  return scene::narrow(combine(scene::widen(a), s, scene::widen(b), t));
}
Vec4 between(const Vec4& a, const Vec4& b, double u) { return mix(a, 1 - u, b, u); }

/// The segment from the last key over the end of a window to its first one.
struct Wrap {
  Key4 from;
  Key4 to;
  double split = 0;  ///< where the window begins, 0 to 1
};

/// Polynomials are divided exactly.
Key4 divide(Interpolation interpolation, Wrap& wrap) {
  const double u = wrap.split;
  Key4 result;
  if (interpolation == Interpolation::bezier) {
    const Vec4 inner = between(wrap.from.out, wrap.to.in, u);
    wrap.from.out = between(wrap.from.value, wrap.from.out, u);
    wrap.to.in = between(wrap.to.in, wrap.to.value, u);
    result.in = between(wrap.from.out, inner, u);
    result.out = between(inner, wrap.to.in, u);
    result.value = between(result.in, result.out, u);
    return result;
  }
  if (interpolation == Interpolation::hermite) {
    const double v = 1 - u;
    const Vec4 difference = mix(wrap.to.value, 1, wrap.from.value, -1);
    const Vec4 tangents = mix(wrap.from.out, u * u * u - 2 * u * u + u, wrap.to.in, u * u * u - u * u);
    const Vec4 slopes = mix(wrap.from.out, 3 * u * u - 4 * u + 1, wrap.to.in, 3 * u * u - 2 * u);
    const Vec4 slope = mix(difference, 6 * u * v, slopes, 1);
    result.value = mix(mix(wrap.from.value, 1, difference, 3 * u * u - 2 * u * u * u), 1, tangents, 1);
    result.in = mix(slope, u, slope, 0);
    result.out = mix(slope, v, slope, 0);
    wrap.from.out = mix(wrap.from.out, u, wrap.from.out, 0);
    wrap.to.in = mix(wrap.to.in, v, wrap.to.in, 0);
    return result;
  }
  result.value = between(wrap.from.value, wrap.to.value, u);
  return result;
}

double angle_between(const Vec4& a, const Vec4& b) {
  return scene::rotation_angle(scene::normalized(scene::widen(a)), scene::normalized(scene::widen(b)));
}

/// Keys on a curve of rotations, so near to each other that the shortest arcs between them stay on it.
class Fitted {
 public:
  Fitted(const TrackSampler& sampler, const Window& window) : sampler_(sampler), window_(window) {}

  /// From a frame to another, both included.
  void fit(std::int64_t from, std::int64_t to) {
    constexpr double kTolerance = 2e-5;
    add(from);
    for (std::int64_t at = from; at < to;) {
      std::int64_t next = to;
      while (next - at > 1 && deviation(at, next) > kTolerance) {
        next = at + (next - at) / 2;
      }
      add(next);
      at = next;
    }
  }
  [[nodiscard]] const std::vector<Key4>& keys() const { return keys_; }

 private:
  [[nodiscard]] Vec4 value(double frame) const {
    return sampler_.at(window_, frame).value_or(Vec4{0, 0, 0, 1});
  }
  void add(std::int64_t frame) {
    const Vec4 sample = value(static_cast<double>(frame));
    keys_.push_back({frame, sample, sample, sample});  // squad with equal inner points is slerp
  }
  [[nodiscard]] double deviation(std::int64_t a, std::int64_t b) const {
    double worst = 0;
    const Vec4 from = value(static_cast<double>(a));
    const Vec4 to = value(static_cast<double>(b));
    for (const double u : {0.25, 0.5, 0.75}) {
      const Vec4 straight = scene::narrow(
          scene::slerp(scene::normalized(scene::widen(from)), scene::normalized(scene::widen(to)), u));
      const double frame = static_cast<double>(a) + static_cast<double>(b - a) * u;
      worst = std::max(worst, angle_between(straight, value(frame)));
    }
    return worst;
  }

  const TrackSampler& sampler_;
  Window window_;
  std::vector<Key4> keys_;
};

/// Of the first two in the order of time that lie over each other, the longer one.
std::optional<std::size_t> overlapping_sequence(std::span<Sequence* const> sequences) {
  std::vector<std::size_t> order(sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto window = [&](std::size_t i) { return window_of(*sequences[i]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(window(a).start, a) < std::pair(window(b).start, b);
  });
  const auto length = [&](std::size_t i) { return window(i).end - window(i).start; };
  std::optional<std::size_t> before;  // the one that ends last
  for (const std::size_t i : order) {
    if (before && (window(i).start < window(*before).end || window(i).start == window(*before).start)) {
      return length(i) < length(*before) ? *before : i;
    }
    before = !before || window(i).end > window(*before).end ? i : *before;
  }
  return std::nullopt;
}

/// Copies what a window plays to another place; there is nothing there, nor after it.
void repeat_keys(Document& document, const Window& window, std::int64_t start) {
  edit_tracks(document, [&](Track& track, const TrackFacts&) {
    const std::size_t count = track.size();
    for (std::size_t key = 0; key < count && track.global_sequence < 0; ++key) {
      const std::int64_t frame = track.frame(key);
      if (window.start <= frame && frame <= window.end) {
        const auto at = track.words.begin() + static_cast<std::ptrdiff_t>(key * track.stride());
        std::vector<std::uint32_t> words(at, at + static_cast<std::ptrdiff_t>(track.stride()));
        words[0] = static_cast<std::uint32_t>(frame - window.start + start);
        track.words.insert(track.words.end(), words.begin(), words.end());
      }
    }
    return false;
  });
  for_each<EventObjects>(document, [&](EventObject& event, std::size_t) {
    if (!event.track || event.track->global_sequence >= 0) {
      return;
    }
    const auto frames = event.track->frames;
    for (const std::int32_t frame : frames) {
      if (window.start <= frame && frame <= window.end) {
        event.track->frames.push_back(static_cast<std::int32_t>(frame - window.start + start));
      }
    }
  });
}

bool plays_only_in(std::int64_t frame, const Window& window, std::span<const Window> windows) {
  return std::all_of(windows.begin(), windows.end(), [&](const Window& other) {
    const bool reaches = other.start <= frame && frame <= other.end;
    return !reaches || (other.start == window.start && other.end == window.end);
  });
}

}  // namespace

TrackSampler::TrackSampler(const Track& track) : list_(prepare(file_use(track))) {}

std::optional<Vec4> TrackSampler::at(const Window& window, double frame) const {
  if (keys_within(list_, window) == 0) {
    return std::nullopt;
  }
  const Playback playback = play(list_, window, false);
  if (playback.constant) {
    return to_file(*playback.constant, list_.rotation);
  }
  const double time = (frame - static_cast<double>(window.start)) / 1000;
  const auto found = std::find_if(playback.pieces.begin(), playback.pieces.end(),
                                  [&](const Piece& piece) { return time <= piece.t1; });
  const Piece& piece = found == playback.pieces.end() ? playback.pieces.back() : *found;
  const double share = piece.t1 > piece.t0 ? (time - piece.t0) / (piece.t1 - piece.t0) : 0;
  const double u = piece.u0 + (piece.u1 - piece.u0) * std::clamp(share, 0.0, 1.0);
  return to_file(evaluate(list_, piece, u), list_.rotation);
}

bool add_opening_key(Track& track, const Window& window, std::span<const Window> windows) {
  std::optional<std::size_t> first;
  std::size_t last = 0;
  for (std::size_t key = 0; key < track.size(); ++key) {
    if (window.start <= track.frame(key) && track.frame(key) <= window.end) {
      first = first.value_or(key);
      last = key;
    }
  }
  const bool needed = first && *first != last && track.frame(*first) != window.start &&
                      !rules::same_value(track, *first, last);
  if (!needed || track.interpolation == Interpolation::none || track_type(track.tag).integer) {
    return false;
  }
  Wrap wrap{key_of(track, last), key_of(track, *first), 0};
  const std::array frames = {window.start, window.end, wrap.from.frame, wrap.to.frame};
  if (!std::all_of(frames.begin(), frames.end(),
                   [&](std::int64_t frame) { return plays_only_in(frame, window, windows); })) {
    return false;
  }
  if (is_rotation(track.tag)) {
    const TrackSampler sampler(track);
    const Track before = track;
    Fitted fitted(sampler, window);
    if (track.has_tangents()) {
      fitted.fit(window.start, wrap.to.frame);
      fitted.fit(wrap.from.frame, window.end);
    } else {
      fitted.fit(window.start, window.start);
    }
    for (Key4 key : fitted.keys()) {
      // The keys that were there keep what they are and their other sides.
      key.value = key.frame == wrap.to.frame     ? wrap.to.value
                  : key.frame == wrap.from.frame ? wrap.from.value
                                                 : key.value;
      key.out = key.frame == wrap.to.frame ? wrap.to.out : key.out;
      key.in = key.frame == wrap.from.frame ? wrap.from.in : key.in;
      insert_key(track, key);
    }
    return true;
  }
  const auto tail = static_cast<double>(window.end - wrap.from.frame);
  wrap.split = tail / (tail + static_cast<double>(wrap.to.frame - window.start));
  Key4 start_key = divide(track.interpolation, wrap);
  start_key.frame = window.start;
  put_key(track, last, wrap.from);
  put_key(track, *first, wrap.to);
  insert_key(track, start_key);
  return true;
}

std::size_t drop_unreached_keys(Track& track, std::span<const Window> windows) {
  const std::size_t stride = track.stride();
  const std::size_t before = track.size();
  Array<std::uint32_t> left;
  for (std::size_t key = 0; key < before; ++key) {
    const std::int64_t frame = track.frame(key);
    const bool reached = frame == 0 || std::any_of(windows.begin(), windows.end(), [&](const Window& window) {
                           return window.start <= frame && frame <= window.end;
                         });
    if (reached || (left.empty() && key + 1 == before)) {
      const auto at = track.words.begin() + static_cast<std::ptrdiff_t>(key * stride);
      left.insert(left.end(), at, at + static_cast<std::ptrdiff_t>(stride));
    }
  }
  track.words = std::move(left);
  return before - track.size();
}

Window window_of(const Sequence& sequence) {
  return {static_cast<std::int32_t>(sequence.start), static_cast<std::int32_t>(sequence.end), false};
}

std::int64_t free_frame(const Document& document) {
  constexpr std::int64_t kAir = 100;
  std::int64_t last = 0;
  for (const auto* sequence : document.all<Sequences>()) {
    last = std::max({last, std::int64_t{static_cast<std::int32_t>(sequence->start)},
                     std::int64_t{static_cast<std::int32_t>(sequence->end)}});
  }
  visit_tracks(document, [&](const Track& track, const TrackFacts&) {
    for (std::size_t key = 0; key < track.size() && track.global_sequence < 0; ++key) {
      last = std::max(last, std::int64_t{track.frame(key)});
    }
  });
  for (const auto* event : document.all<EventObjects>()) {
    if (event->track && event->track->global_sequence < 0) {
      for (const std::int32_t frame : event->track->frames) {
        last = std::max(last, std::int64_t{frame});
      }
    }
  }
  return (last / kAir + 2) * kAir;
}

void hold_tracks(Document& document, const Window& shown, std::int64_t frame, std::int64_t at,
                 ChoosesTracks chooses) {
  edit_tracks(document, [&](Track& track, const TrackFacts& facts) {
    if (track.global_sequence >= 0 || track.components() == 0 || !chooses(track, facts)) {
      return false;
    }
    if (const auto value = TrackSampler(track).at(shown, static_cast<double>(frame))) {
      Key4 key{at, *value, *value, *value};
      if (track.interpolation == Interpolation::hermite && !is_rotation(track.tag)) {
        key.in = key.out = {};
      }
      if (track_type(track.tag).integer) {
        const auto whole = static_cast<std::int32_t>(std::lround((*value)[0]));
        std::memcpy(key.value.data(), &whole, sizeof(whole));
      }
      insert_key(track, key);
    }
    return false;
  });
}

std::vector<std::size_t> separate_sequences(Document& document) {
  // More sequences than any model has, and a time line as the format can count it.
  constexpr std::size_t kMostSequences = 256;
  constexpr std::int64_t kLastFrame = std::numeric_limits<std::int32_t>::max();
  std::vector<Sequence*> sequences;
  for_each<Sequences>(document, [&](Sequence& sequence, std::size_t) { sequences.push_back(&sequence); });
  std::vector<std::size_t> moved;
  while (sequences.size() <= kMostSequences && moved.size() < sequences.size()) {
    const auto index = overlapping_sequence(sequences);
    if (!index) {
      break;
    }
    Sequence& sequence = *sequences[*index];
    const Window window = window_of(sequence);
    const std::int64_t start = free_frame(document);
    const std::int64_t length = std::max<std::int64_t>(0, window.end - window.start);
    if (start + length > kLastFrame) {
      break;
    }
    repeat_keys(document, window, start);
    sequence.start = static_cast<std::uint32_t>(start);
    sequence.end = static_cast<std::uint32_t>(start + length);
    moved.push_back(*index);
  }
  return moved;
}

void add_sequence(Document& document, const Sequence& sequence) {
  const std::size_t count = document.all<Sequences>().size();
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) {
    if (geoset.sequence_extents.size() == count) {
      geoset.sequence_extents.push_back(geoset.extent);
    }
  });
  if (document.find<Sequences>() == nullptr) {
    insert_chunk(document, FourCC{"SEQS"}, Sequences{});
  }
  document.find<Sequences>()->items.push_back(sequence);
}

void add_still_sequence(Document& document, std::string_view name, std::size_t like, std::uint32_t flags) {
  constexpr std::int64_t kDuration = 1000;
  const Sequence source = *document.all<Sequences>()[like];
  const std::int64_t start = free_frame(document);
  const Window shown{static_cast<std::int32_t>(source.start), static_cast<std::int32_t>(source.end), false};
  hold_tracks(document, shown, shown.start, start, [](const Track&, const TrackFacts&) { return true; });
  Sequence added;
  added.name.assign(name);
  added.start = static_cast<std::uint32_t>(start);
  added.end = static_cast<std::uint32_t>(start + kDuration);
  added.flags = flags;
  added.extent = source.extent;
  add_sequence(document, added);
}

}  // namespace thaw::mdx
