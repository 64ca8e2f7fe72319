// Tracks against the time line: order of keys, sequences, global sequences.
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

/// Reports tracks in which some keys are as `is_wrong(track, key)` says, at the first of them.
template <class F>
void report_keys(const Model& model, Report& report, std::string_view what, F&& is_wrong) {
  for (const auto& item : model.tracks) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t key = 0; key < item.track->size(); ++key) {
      if (is_wrong(*item.track, key)) {
        first = wrong++ == 0 ? key : first;
      }
    }
    if (wrong > 0) {
      report.add(at(model.path_of(item) + ".keys", first),
                 say(wrong, " of ", counted_noun(item.track->size(), "key"), " ", what, ", first at frame ",
                     item.track->frame(first)));
    }
  }
}

void track_without_sequences(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (model.sequences.empty() && item.track->global_sequence == -1) {
      report.add(model.path_of(item), "the model has no sequences, so the track never plays");
    }
  }
}

void global_sequence(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    const auto id = item.track->global_sequence;
    if (id != -1 && !model.global_interval(id)) {
      report.add(model.path_of(item) + ".globalSequenceId", say("global sequence ", id, " does not exist"));
    }
  }
}

void negative(const Model& model, Report& report) {
  report_keys(model, report, "at negative frames",
              [](const Track& track, std::size_t key) { return track.frame(key) < 0; });
}

void key_duplicate(const Model& model, Report& report) {
  report_keys(model, report, "at the frame of the previous key", [](const Track& track, std::size_t key) {
    return key > 0 && track.frame(key) == track.frame(key - 1);
  });
}

void track_unsorted(const Model& model, Report& report) {
  report_keys(model, report, "before the previous key", [](const Track& track, std::size_t key) {
    return key > 0 && track.frame(key) < track.frame(key - 1);
  });
}

void outside(const Model& model, Report& report) {
  report_keys(model, report, "outside of all sequences", [&](const Track& track, std::size_t key) {
    const auto frame = track.frame(key);
    return track.global_sequence == -1 && track.size() > 1 && frame != 0 && !model.sequence_at(frame);
  });
}

void beyond_global(const Model& model, Report& report) {
  report_keys(model, report, "outside the global sequence", [&](const Track& track, std::size_t key) {
    const auto interval = model.global_interval(track.global_sequence);
    const auto frame = track.frame(key);
    return interval && track.size() > 1 && frame != 0 && !interval->holds(frame);
  });
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
  for (auto& [sequence, own] : keys) {
    runs.push_back({model.intervals[sequence],
                    say("sequence \"", model.sequences[sequence]->name.view(), "\""), std::move(own)});
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
                   say("no key at frame ", run.interval.start, ", where ", run.name,
                       " starts, and its first and last key differ"));
      }
    }
  }
}

/// Counts keys of a run for which `is_needless(key before, key, key behind)` holds.
template <class F>
void report_needless(const Model& model, Report& report, std::string_view what, F&& is_needless) {
  for (const auto& item : model.tracks) {
    std::size_t needless = 0;
    std::size_t first = 0;
    for (const auto& run : runs_of(model, *item.track)) {
      for (std::size_t i = 2; i < run.keys.size(); ++i) {
        if (is_needless(*item.track, run.keys[i - 2], run.keys[i - 1], run.keys[i])) {
          first = needless++ == 0 ? run.keys[i - 1] : first;
        }
      }
    }
    if (needless > 0) {
      report.add(at(model.path_of(item) + ".keys", first),
                 say(needless, " of ", counted_noun(item.track->size(), "key"), " with ", what,
                     " as both neighbours"));
    }
  }
}

bool all_flat(const Track& track, std::size_t a, std::size_t b, std::size_t c) {
  return is_flat(track, a) && is_flat(track, b) && is_flat(track, c);
}

void needless(const Model& model, Report& report) {
  report_needless(model, report, "the same value",
                  [](const Track& track, std::size_t a, std::size_t b, std::size_t c) {
                    return same_value(track, a, b) && same_value(track, a, c) && all_flat(track, a, b, c);
                  });
}

void nearly_needless(const Model& model, Report& report) {
  constexpr float kTolerance = 0.001F;
  report_needless(
      model, report, "nearly the same value",
      [](const Track& track, std::size_t a, std::size_t b, std::size_t c) {
        const bool near = !track_type(track.tag).integer && difference(track, a, b) < kTolerance &&
                          difference(track, a, c) < kTolerance;
        return near && all_flat(track, a, b, c) && !(same_value(track, a, b) && same_value(track, a, c));
      });
}

void constant_run(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    for (const auto& run : runs_of(model, *item.track)) {
      const bool same =
          run.keys.size() > 2 && std::all_of(run.keys.begin(), run.keys.end(), [&](std::size_t key) {
            return same_value(*item.track, key, run.keys.front()) && is_flat(*item.track, key);
          });
      if (same) {
        report.add(at(model.path_of(item) + ".keys", run.keys.front()),
                   say("the value does not change in ", run.name));
        break;
      }
    }
  }
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
      report.add(model.path_of(item), say("no key in \"", (*stand)->name.view(), "\""));
    }
  }
}

constexpr std::array kTrackTimingRules = {
    ModelRule{{"mdx.track-no-sequences",
               {kWarning, kWarning, kWarning},
               "track in a model without sequences",
               "It never plays."},
              track_without_sequences},
    ModelRule{{"mdx.track-global-sequence",
               {kError, kWarning, kError},
               "track global sequence out of range",
               "Use -1 for none.",
               true},
              global_sequence},
    ModelRule{{"mdx.track-negative",
               {kWarning, kInfo, kWarning},
               "keys at negative frames",
               "They are never reached."},
              negative},
    ModelRule{{"mdx.track-duplicate",
               {kWarning, kWarning, kWarning},
               "two keys at one frame",
               "The result is undefined.",
               true},
              key_duplicate},
    ModelRule{{"mdx.track-unsorted",
               {kSevere, kSevere, kSevere},
               "keys out of order",
               "The game expects sorted keys; the animation jumps.",
               true},
              track_unsorted},
    ModelRule{{"mdx.track-outside-sequences",
               {kUnused, kUnused, kUnused},
               "keys outside of all sequences",
               "They are never reached.",
               true},
              outside},
    ModelRule{{"mdx.track-beyond-global",
               {kUnused, kUnused, kUnused},
               "keys outside their global sequence",
               "They are never reached.",
               true},
              beyond_global},
    ModelRule{{"mdx.track-opening",
               {kSevere, kWarning, kSevere},
               "no key at a sequence's start",
               "Before its first key the game interpolates from the last one: things warp. Add a key at the "
               "start.",
               true},
              opening},
    ModelRule{{"mdx.track-needless",
               {kUnused, kOff, kUnused},
               "keys equal to both neighbours",
               "Removing them changes nothing."},
              needless},
    ModelRule{{"mdx.track-nearly-needless",
               {kUnused, kOff, kUnused},
               "keys nearly equal to both neighbours",
               "The difference is below 0.001."},
              nearly_needless},
    ModelRule{{"mdx.track-constant-run",
               {kOff, kOff, kUnused},
               "three or more equal keys in a sequence",
               "One is enough."},
              constant_run},
    ModelRule{{"mdx.track-not-in-stand",
               {kInfo, kOff, kInfo},
               "track without keys in the Stand sequence",
               "The game then uses the default, not the value of the previous sequence."},
              not_in_stand},
};

}  // namespace

std::span<const ModelRule> track_timing_rules() { return kTrackTimingRules; }

}  // namespace thaw::mdx::rules
