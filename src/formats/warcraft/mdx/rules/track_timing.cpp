// Tracks against the time line: order of keys, sequences, global sequences.
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

/// Tells how many keys are as `is_wrong(key)` says, at the first of them.
template <class F>
Fault wrong_keys(const Track& track, const char* what, const F& is_wrong) {
  const auto wrong = count_faults(track.size(), is_wrong);
  return wrong.count > 0 ? Fault(say(wrong.count, " of ", counted_noun(track.size(), "key"), " ", what,
                                     ", first at frame ", track.frame(wrong.first)))
                               .at(wrong.first)
                         : "";
}

/// The keys of one sequence or global sequence, in the file's order.
struct Run {
  Interval interval;
  std::string name;
  std::vector<std::size_t> keys;
};

std::vector<Run> runs_of(const Model& model, const Track& track) {
  if (const auto global = model.global_interval(track.global_sequence)) {
    Run run{*global, say("global sequence ", track.global_sequence), {}};
    for (std::size_t key = 0; key < track.size(); ++key) {
      if (global->holds(track.frame(key))) {
        run.keys.push_back(key);
      }
    }
    return {std::move(run)};
  }
  std::map<std::size_t, std::vector<std::size_t>> keys;
  for (std::size_t key = 0; key < track.size() && track.global_sequence == -1; ++key) {
    if (const auto sequence = model.sequence_at(track.frame(key))) {
      keys[*sequence].push_back(key);
    }
  }
  std::vector<Run> runs;
  runs.reserve(keys.size());
  for (auto& [sequence, sequence_keys] : keys) {
    runs.push_back({model.intervals[sequence],
                    say("sequence \"", model.sequences[sequence]->name.view(), "\""),
                    std::move(sequence_keys)});
  }
  return runs;
}

void opening(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    const Track& track = *item.track;
    if (track.interpolation == Interpolation::none) {
      continue;
    }
    for (const auto& run : runs_of(model, track)) {
      const bool late = run.keys.size() > 1 && track.frame(run.keys.front()) != run.interval.start;
      if (late && !same_value(track, run.keys.front(), run.keys.back())) {
        report.add(at(model.path_of(item) + ".keys", run.keys.front()),
                   say("the track has no key at frame ", run.interval.start, ", where ", run.name,
                       " starts, and the first and last key in it differ"));
      }
    }
  }
}

/// Counts keys for which `is_needless(key before, key, key behind)` holds in a run.
template <class F>
Fault needless_keys(const Track& track, const Model& model, const char* what, const F& is_needless) {
  FaultCount needless;
  for (const auto& run : runs_of(model, track)) {
    for (std::size_t i = 2; i < run.keys.size(); ++i) {
      if (is_needless(run.keys[i - 2], run.keys[i - 1], run.keys[i])) {
        needless.add(run.keys[i - 1]);
      }
    }
  }
  return needless.count > 0 ? Fault(say(needless.count, " of ", counted_noun(track.size(), "key"), " with ",
                                        what, " as both neighbours"))
                                  .at(needless.first)
                            : "";
}

bool all_flat(const Track& track, std::size_t a, std::size_t b, std::size_t c) {
  return is_flat(track, a) && is_flat(track, b) && is_flat(track, c);
}

void not_in_stand(const Model& model, Report& report) {
  const auto stand =
      std::find_if(model.sequences.begin(), model.sequences.end(), [](const Item<Sequence>& sequence) {
        const auto words = sequence_words(sequence->name.view());
        return !words.empty() && words.front() == "stand";
      });
  if (stand == model.sequences.end()) {
    return;
  }
  const Interval interval = model.intervals[static_cast<std::size_t>(stand - model.sequences.begin())];
  for (const auto& item : model.tracks) {
    bool found = item.track->global_sequence != -1 || item.track->size() == 0 ||
                 item.owner == TrackOwner::geoset_animation || item.owner == TrackOwner::camera;
    for (std::size_t key = 0; !found && key < item.track->size(); ++key) {
      found = interval.holds(item.track->frame(key));
    }
    if (!found) {
      report.add(model.path_of(item),
                 say("the track has no key in sequence \"", (*stand)->name.view(), "\""));
    }
  }
}

constexpr std::array kTrackTimingRules = {
    ModelRule("mdx.track-no-sequences", always(kWarning), "track in a model without sequences",
              "It never plays. Add a sequence.", each<kTracks>([](const Track& track, const Model& model) {
                return model.sequences.empty() && track.global_sequence == -1
                           ? "the model has no sequences, so the track never plays"
                           : "";
              })),
    ModelRule("mdx.track-global-sequence", {kError, kWarning, kError}, "track global sequence out of range",
              "Use -1 for none.", kFixable,
              each<kTracks, "globalSequenceId">([](const Track& track, const Model& model) {
                const auto id = track.global_sequence;
                return id != -1 && !model.global_interval(id) ? say("global sequence ", id, " does not exist")
                                                              : "";
              })),
    ModelRule("mdx.track-negative", {kWarning, kInfo, kWarning}, "keys at negative frames",
              "They are never reached. Remove them.", each<kTracks, "keys">([](const Track& track) {
                return wrong_keys(track, "at negative frames",
                                  [&](std::size_t key) { return track.frame(key) < 0; });
              })),
    ModelRule("mdx.track-duplicate", always(kWarning), "two keys at one frame",
              "The result is undefined. Remove one of them.", kFixable,
              each<kTracks, "keys">([](const Track& track) {
                return wrong_keys(track, "at the frame of the previous key", [&](std::size_t key) {
                  return key > 0 && track.frame(key) == track.frame(key - 1);
                });
              })),
    ModelRule("mdx.track-unsorted", always(kSevere), "keys out of order",
              "The game expects sorted keys; the animation jumps. Sort the keys.", kFixable,
              each<kTracks, "keys">([](const Track& track) {
                return wrong_keys(track, "before the previous key", [&](std::size_t key) {
                  return key > 0 && track.frame(key) < track.frame(key - 1);
                });
              })),
    ModelRule("mdx.track-outside-sequences", always(kUnused), "keys outside of all sequences",
              "They are never reached. Remove them.", kFixable,
              each<kTracks, "keys">([](const Track& track, const Model& model) {
                return wrong_keys(track, "outside of all sequences", [&](std::size_t key) {
                  const auto frame = track.frame(key);
                  return track.global_sequence == -1 && track.size() > 1 && frame != 0 &&
                         !model.sequence_at(frame);
                });
              })),
    ModelRule("mdx.track-beyond-global", always(kUnused), "keys outside their global sequence",
              "They are never reached. Remove them, or lengthen the global sequence.", kFixable,
              each<kTracks, "keys">([](const Track& track, const Model& model) {
                const auto interval = model.global_interval(track.global_sequence);
                return wrong_keys(track, "outside the global sequence", [&](std::size_t key) {
                  const auto frame = track.frame(key);
                  return interval && track.size() > 1 && frame != 0 && !interval->holds(frame);
                });
              })),
    ModelRule("mdx.track-opening", {kSevere, kWarning, kSevere},
              "no key at the start of a sequence or global sequence",
              "Before its first key the game interpolates from the last one: things warp. Add a key at the "
              "start.",
              kFixable, opening),
    ModelRule("mdx.track-needless", {kUnused, kOff, kUnused}, "keys equal to both neighbours",
              "Removing them changes nothing. `thaw optimize` does it.",
              each<kTracks, "keys">([](const Track& track, const Model& model) {
                return needless_keys(
                    track, model, "the same value", [&](std::size_t a, std::size_t b, std::size_t c) {
                      return same_value(track, a, b) && same_value(track, a, c) && all_flat(track, a, b, c);
                    });
              })),
    ModelRule("mdx.track-nearly-needless", {kUnused, kOff, kUnused}, "keys nearly equal to both neighbours",
              "They differ by less than 0.001. Removing them changes almost nothing. `thaw optimize` drops "
              "those within --max-error.",
              each<kTracks, "keys">([](const Track& track, const Model& model) {
                constexpr float kTolerance = 0.001F;
                return needless_keys(track, model, "nearly the same value",
                                     [&](std::size_t a, std::size_t b, std::size_t c) {
                                       const bool near = !track_type(track.tag).integer &&
                                                         difference(track, a, b) < kTolerance &&
                                                         difference(track, a, c) < kTolerance;
                                       return near && all_flat(track, a, b, c) &&
                                              !(same_value(track, a, b) && same_value(track, a, c));
                                     });
              })),
    ModelRule("mdx.track-constant-run", {kOff, kOff, kUnused}, "three or more equal keys in a sequence",
              "One is enough. Remove the others.",
              each<kTracks, "keys">([](const Track& track, const Model& model) -> Fault {
                for (const auto& run : runs_of(model, track)) {
                  const bool same = run.keys.size() > 2 &&
                                    std::all_of(run.keys.begin(), run.keys.end(), [&](std::size_t key) {
                                      return same_value(track, key, run.keys.front()) && is_flat(track, key);
                                    });
                  if (same) {
                    return Fault(say("the value does not change in ", run.name)).at(run.keys.front());
                  }
                }
                return {};
              })),
    ModelRule("mdx.track-not-in-stand", {kInfo, kOff, kInfo}, "track without keys in the Stand sequence",
              "The game then uses the default, not the value of the previous sequence. Add a key.",
              not_in_stand),
};

}  // namespace

std::span<const ModelRule> track_timing_rules() { return kTrackTimingRules; }

}  // namespace thaw::mdx::rules
