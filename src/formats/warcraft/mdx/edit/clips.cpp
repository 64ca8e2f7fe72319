// Sequences out of another model, joined by the names of nodes.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/edit/timeline.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace thaw::mdx {
namespace {

constexpr std::array kMotions = {FourCC{"KGTR"}, FourCC{"KGRT"}, FourCC{"KGSC"}};

std::vector<std::size_t> keys_in(const Track& track, const Window& window) {
  std::vector<std::size_t> keys;
  for (std::size_t key = 0; key < track.size(); ++key) {
    if (window.start <= track.frame(key) && track.frame(key) <= window.end) {
      keys.push_back(key);
    }
  }
  return keys;
}

/// Numbers of a key: the value, and after it the tangents.
class KeyNumbers {
 public:
  KeyNumbers(Track& track, std::size_t key) : track_(track), at_(key * track.stride() + 1) {}

  [[nodiscard]] float get(std::size_t part, std::size_t i) const {
    float value = 0;
    std::memcpy(&value, &track_.words[at_ + part * track_.components() + i], sizeof(value));
    return value;
  }
  void set(std::size_t part, std::size_t i, float value) {
    std::memcpy(&track_.words[at_ + part * track_.components() + i], &value, sizeof(value));
  }

 private:
  Track& track_;
  std::size_t at_;
};

/// Room for tangents, which bend nothing.
void widen_keys(Track& track, Interpolation requested) {
  Track wide = track;
  wide.interpolation = requested;
  wide.words.clear();
  const std::size_t width = track.components();
  const bool repeats_value = requested == Interpolation::bezier || rules::is_rotation(track.tag);
  for (std::size_t key = 0; key < track.size(); ++key) {
    const auto from = track.words.begin() + static_cast<std::ptrdiff_t>(key * track.stride());
    const auto to = from + static_cast<std::ptrdiff_t>(1 + width);
    wide.words.insert(wide.words.end(), from, to);
    for (int part = 0; part < 2; ++part) {
      if (repeats_value) {
        wide.words.insert(wide.words.end(), from + 1, to);
      } else {
        wide.words.resize(wide.words.size() + width, 0);
      }
    }
  }
  track = std::move(wide);
}

/// The straight line from each key to the next, and from the last to the first, as tangents.
void straighten(Track& track, const Window& window) {
  const auto keys = keys_in(track, window);
  const float share = track.interpolation == Interpolation::bezier ? 1.0F / 3 : 1.0F;
  for (std::size_t i = 0; i < keys.size() && keys.size() > 1; ++i) {
    KeyNumbers from(track, keys[i]);
    KeyNumbers to(track, keys[(i + 1) % keys.size()]);
    for (std::size_t n = 0; n < track.components(); ++n) {
      const float delta = (to.get(0, n) - from.get(0, n)) * share;
      const bool absolute = track.interpolation == Interpolation::bezier;
      from.set(2, n, absolute ? from.get(0, n) + delta : delta);
      to.set(1, n, absolute ? to.get(0, n) - delta : delta);
    }
  }
}

void bezier_to_hermite(Track& track) {
  track.interpolation = Interpolation::hermite;
  for (std::size_t key = 0; key < track.size() && !rules::is_rotation(track.tag); ++key) {
    KeyNumbers numbers(track, key);
    for (std::size_t n = 0; n < track.components(); ++n) {
      numbers.set(1, n, 3 * (numbers.get(0, n) - numbers.get(1, n)));
      numbers.set(2, n, 3 * (numbers.get(2, n) - numbers.get(0, n)));
    }
  }
}

/// Steps hold until a millisecond before the next key.
void steps_to_linear(Track& track, std::span<const Window> windows) {
  std::map<std::int32_t, std::vector<std::uint32_t>> words;
  const auto value_of = [&](std::size_t key) {
    const auto at = track.words.begin() + static_cast<std::ptrdiff_t>(key * track.stride() + 1);
    return std::vector<std::uint32_t>(at, at + static_cast<std::ptrdiff_t>(track.components()));
  };
  for (const Window& window : windows) {
    const auto keys = keys_in(track, window);
    for (std::size_t i = 0; i < keys.size() && keys.size() > 1; ++i) {
      const bool last = i + 1 == keys.size();
      const std::int64_t until = last ? window.end : std::int64_t{track.frame(keys[i + 1])} - 1;
      words.emplace(static_cast<std::int32_t>(until), value_of(keys[i]));
      if (last && track.frame(keys.front()) > window.start) {
        words.emplace(static_cast<std::int32_t>(window.start), value_of(keys[i]));
        words.emplace(track.frame(keys.front()) - 1, value_of(keys[i]));
      }
    }
  }
  for (std::size_t key = 0; key < track.size(); ++key) {
    words[track.frame(key)] = value_of(key);
  }
  track.interpolation = Interpolation::linear;
  track.words.clear();
  for (const auto& [frame, value] : words) {
    track.words.push_back(static_cast<std::uint32_t>(frame));
    track.words.insert(track.words.end(), value.begin(), value.end());
  }
}

/// Makes a track one of an interpolation that can say more, with the same played.
void raise(Track& track, Interpolation requested, std::span<const Window> windows) {
  if (track.interpolation == Interpolation::none && requested != Interpolation::none) {
    steps_to_linear(track, windows);
  }
  if (track.interpolation == Interpolation::linear && requested > Interpolation::linear) {
    widen_keys(track, requested);
    for (const Window& window : windows) {
      if (!rules::is_rotation(track.tag)) {
        straighten(track, window);
      }
    }
  }
  if (track.interpolation == Interpolation::bezier && requested == Interpolation::hermite) {
    bezier_to_hermite(track);
  }
}

/// Of two, the one that can say what both can.
Interpolation joint(Interpolation a, Interpolation b) {
  if (a != b && std::min(a, b) == Interpolation::hermite) {
    return Interpolation::hermite;  // and bezier, which hermite can say
  }
  return std::max(a, b);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > kMost ? ", …" : "");
}

class ClipCopier {
 public:
  ClipCopier(Document& document, Document other, const BoneNames& bones, EditLog& log)
      : document_(document), other_(std::move(other)), bones_(bones), log_(log), lines_(document) {
    each_object(other_, [&](auto& item, const std::string&) { join(item.node); });
  }

  void copy(std::size_t index);

 private:
  void join(const Node& theirs);
  void motion(const Track& theirs, Node& target, const Window& shown, std::int64_t start);
  void hold_the_rest(std::int64_t start);
  std::size_t events(const Window& shown, std::int64_t start);
  void report(const Sequence& sequence, const Window& shown, std::size_t silent);

  Document& document_;
  Document other_;
  const BoneNames& bones_;
  EditLog& log_;
  TimeLines lines_;
  std::vector<std::pair<const Node*, std::int32_t>> joined_;  ///< theirs, and the id of ours
  std::vector<const Node*> alone_;
  std::vector<std::string> looping_;
};

void ClipCopier::join(const Node& theirs) {
  std::string_view name = theirs.name.view();
  for (const auto& [from, to] : bones_) {
    name = ascii::same(from, name) ? std::string_view(to) : name;
  }
  const auto id = id_of_node(document_, name);
  const auto has_joined = [&](const auto& pair) { return pair.second == *id; };
  // Of several of one name the first: each of ours follows one of theirs.
  if (id && std::none_of(joined_.begin(), joined_.end(), has_joined)) {
    joined_.emplace_back(&theirs, *id);
  } else {
    alone_.push_back(&theirs);
  }
}

void ClipCopier::motion(const Track& theirs, Node& target, const Window& shown, std::int64_t start) {
  const auto keys = keys_in(theirs, shown);
  auto found = std::find_if(target.tracks.begin(), target.tracks.end(),
                            [&](const Track& track) { return track.tag == theirs.tag; });
  const bool ours_loops = found != target.tracks.end() && found->global_sequence >= 0;
  const bool theirs_loops = theirs.global_sequence >= 0;
  if (ours_loops || theirs_loops) {
    if (ours_loops != theirs_loops) {
      looping_.push_back(thaw::shown(target.name.view()));
    }
    return;
  }
  if (keys.empty()) {
    return;
  }
  Track copied = theirs;
  copied.words.clear();
  for (const std::size_t key : keys) {
    const auto at = theirs.words.begin() + static_cast<std::ptrdiff_t>(key * theirs.stride());
    copied.words.insert(copied.words.end(), at, at + static_cast<std::ptrdiff_t>(theirs.stride()));
    copied.words[copied.words.size() - theirs.stride()] =
        static_cast<std::uint32_t>(theirs.frame(key) - shown.start + start);
  }
  if (found == target.tracks.end()) {
    // In the order in which the format has them.
    const auto after = std::find_if(target.tracks.begin(), target.tracks.end(), [&](const Track& track) {
      const auto* at = std::find(kMotions.begin(), kMotions.end(), track.tag);
      return at > std::find(kMotions.begin(), kMotions.end(), theirs.tag);
    });
    target.tracks.insert(after, std::move(copied));
    return;
  }
  const Interpolation both = joint(found->interpolation, copied.interpolation);
  const Window now{start, start + shown.end - shown.start, false};
  raise(*found, both, lines_.sequences);
  raise(copied, both, {&now, 1});
  found->words.insert(found->words.end(), copied.words.begin(), copied.words.end());
}

/// What is no movement shows what it shows in Stand.
void ClipCopier::hold_the_rest(std::int64_t start) {
  const auto sequences = document_.all<Sequences>();
  if (sequences.empty()) {
    return;
  }
  const auto stand = std::find_if(sequences.begin(), sequences.end(), [](const Sequence* sequence) {
    return ascii::begins_with(sequence->name.view(), "stand");
  });
  const Window shown = window_of(stand == sequences.end() ? *sequences.front() : **stand);
  hold_tracks(document_, shown, shown.start, start,
              [](const Track&, const TrackFacts& facts) { return facts.node == nullptr; });
}

/// Events go by name, too. Returns how many of theirs are not here.
std::size_t ClipCopier::events(const Window& shown, std::int64_t start) {
  std::size_t silent = 0;
  for (const auto* theirs : other_.all<EventObjects>()) {
    Array<std::int32_t> frames;
    for (const std::int32_t frame : theirs->track && theirs->track->global_sequence < 0
                                        ? theirs->track->frames
                                        : Array<std::int32_t>()) {
      if (shown.start <= frame && frame <= shown.end) {
        frames.push_back(static_cast<std::int32_t>(frame - shown.start + start));
      }
    }
    bool heard = frames.empty();
    for_each<EventObjects>(document_, [&](EventObject& target, std::size_t) {
      if (!heard && target.track && target.track->global_sequence < 0 &&
          ascii::same(target.node.name.view(), theirs->node.name.view())) {
        target.track->frames.insert(target.track->frames.end(), frames.begin(), frames.end());
        heard = true;
      }
    });
    silent += heard ? 0 : 1;
  }
  return silent;
}

void ClipCopier::report(const Sequence& sequence, const Window& shown, std::size_t silent) {
  const std::string name = "\"" + thaw::shown(sequence.name.view()) + "\"";
  std::vector<std::string> missing;
  for (const Node* theirs : alone_) {
    const bool moves = std::any_of(theirs->tracks.begin(), theirs->tracks.end(), [&](const Track& track) {
      return track.global_sequence >= 0 || !keys_in(track, shown).empty();
    });
    if (moves) {
      missing.push_back(thaw::shown(theirs->name.view()));
    }
  }
  const auto say = [&](std::string message) {
    log_.findings.add(codes::kEditInexact, name + ": " + std::move(message));
  };
  if (!missing.empty()) {
    say(counted(missing.size(), "moving node") +
        " of the source not found in this model (--bone-map maps names): " + some_of(missing));
  }
  if (!looping_.empty()) {
    say(counted(looping_.size(), "track") +
        " not copied, because only one of the two models plays them with a global sequence: " +
        some_of(looping_));
  }
  if (silent > 0) {
    say(counted(silent, "event") + " of the source not found in this model");
  }
  log_.changes.push_back({place("SEQS", document_.all<Sequences>().size() - 1),
                          name + " copied, " + counted(joined_.size(), "node") + " matched by name"});
}

void ClipCopier::copy(std::size_t index) {
  Sequence sequence = *other_.all<Sequences>()[index];
  const Window shown = window_of(sequence);
  const std::int64_t start = free_frame(document_);
  hold_the_rest(start);
  looping_.clear();
  auto nodes = nodes_by_id(document_);
  for (const auto& [theirs, id] : joined_) {
    for (const Track& track : theirs->tracks) {
      motion(track, *nodes.at(id), shown, start);
    }
  }
  const std::size_t silent = events(shown, start);
  sequence.start = static_cast<std::uint32_t>(start);
  sequence.end = static_cast<std::uint32_t>(start + std::max<std::int64_t>(0, shown.end - shown.start));
  add_sequence(document_, sequence);
  lines_ = TimeLines(document_);
  report(sequence, shown, silent);
}

}  // namespace

Result<void> copy_clips(Document& document, const Document& other, std::string_view pattern,
                        const BoneNames& bones, EditLog& log) {
  const auto sequences = other.all<Sequences>();
  std::vector<std::size_t> requested;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (renamed(sequences[i]->name.view(), pattern, "")) {
      requested.push_back(i);
    }
  }
  if (requested.empty()) {
    report_nothing(log, "sequence " + std::string(pattern) + " of the source model");
    return {};
  }
  ClipCopier copier(document, other, bones, log);
  for (const std::size_t index : requested) {
    copier.copy(index);
  }
  return {};
}

}  // namespace thaw::mdx
