// GEOA: visibility and colour of geosets.
#include "formats/warcraft/mdx/rules/geoset_animations.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx::rules {
namespace {

void animation_duplicate(const Model& model, Report& report) {
  std::map<std::int32_t, std::size_t> seen;
  for (std::size_t i = 0; i < model.geoset_animations.size(); ++i) {
    const auto& animation = model.geoset_animations[i];
    const auto [other, is_new] = seen.emplace(animation->geoset_id, i);
    if (!is_new && index_in(animation->geoset_id, model.geosets.size())) {
      report.add(animation.path + ".geosetId",
                 say("geoset ", animation->geoset_id, " also has geoset animation ", other->second));
    }
  }
}

/// More sequences than any model has: bounds the time for hostile ones.
constexpr std::size_t kMostSequences = 1000;

/// Calls `use(track, its sorted frames)` for tracks that follow the sequences.
template <class F>
void for_each_sequence_track(const Model& model, F&& use) {
  for (const auto& item : model.tracks) {
    if (item.owner == TrackOwner::geoset_animation && item.track->global_sequence < 0 &&
        item.track->size() > 0) {
      std::vector<std::int64_t> frames;
      frames.reserve(item.track->size());
      for (std::size_t key = 0; key < item.track->size(); ++key) {
        frames.push_back(item.track->frame(key));
      }
      std::sort(frames.begin(), frames.end());
      use(item, frames);
    }
  }
}

void sequence_without_key(const Model& model, Report& report) {
  for_each_sequence_track(model, [&](const TrackItem& item, const std::vector<std::int64_t>& frames) {
    for (std::size_t i = 0; i < std::min(model.intervals.size(), kMostSequences); ++i) {
      const auto key = std::lower_bound(frames.begin(), frames.end(), model.intervals[i].start);
      if (key == frames.end() || *key > model.intervals[i].end) {
        report.add(model.path_of(item),
                   say("the track has no key in sequence \"", model.sequences[i]->name.view(), "\""));
        return;
      }
    }
  });
}

void sequence_opening(const Model& model, Report& report) {
  for_each_sequence_track(model, [&](const TrackItem& item, const std::vector<std::int64_t>& frames) {
    for (std::size_t i = 0; i < std::min(model.intervals.size(), kMostSequences); ++i) {
      const auto key = std::lower_bound(frames.begin(), frames.end(), model.intervals[i].start);
      if (key != frames.end() && *key > model.intervals[i].start && *key <= model.intervals[i].end) {
        report.add(model.path_of(item),
                   say("the track has no key at frame ", model.intervals[i].start, ", where sequence \"",
                       model.sequences[i]->name.view(), "\" starts"));
        return;
      }
    }
  });
}

constexpr std::array kGeosetAnimationRules = {
    ModelRule(
        "mdx.geoset-animation-geoset", {kError, kWarning, kError}, "geoset animation of a missing geoset",
        "The game ignores it. Remove it.", kFixable,
        each<&Model::geoset_animations, "geosetId">([](const GeosetAnimation& animation, const Model& model) {
          return !index_in(animation.geoset_id, model.geosets.size())
                     ? say("geoset ", animation.geoset_id, " does not exist")
                     : "";
        })),
    ModelRule("mdx.geoset-animation-duplicate", always(kWarning), "two geoset animations of one geoset",
              "The game uses the last one; other programs may not. Remove one of them.", animation_duplicate),
    ModelRule(
        "mdx.geoset-animation-invisible", {kSevere, kWarning, kWarning},
        "geoset always invisible or almost invisible",
        "Its geoset animation has an alpha below 0.2 and no alpha track. If this is intended, remove the "
        "geoset, or use keys, as --fix=all does.",
        kFixable, each<&Model::geoset_animations, "alpha">([](const GeosetAnimation& animation) {
          return is_faint(animation) ? say("alpha is always ", animation.alpha, ", so the geoset is ",
                                           animation.alpha > 0 ? "almost " : "", "invisible")
                                     : "";
        })),
    ModelRule("mdx.geoset-animation-alpha", always(kWarning), "geoset animation alpha outside 0 to 1",
              "Use 0 to 1.", each<&Model::geoset_animations, "alpha">([](const GeosetAnimation& animation) {
                return !(animation.alpha >= 0 && animation.alpha <= 1)
                           ? say("alpha ", animation.alpha, " is outside 0 to 1")
                           : "";
              })),
    ModelRule("mdx.geoset-animation-flags", {kInfo, kOff, kInfo}, "unknown geoset animation flags",
              "Known flags are 1 drop shadow and 2 use colour. An old exporter left garbage in the others. "
              "Clear them.",
              each<&Model::geoset_animations, "flags">([](const GeosetAnimation& animation) {
                return animation.flags > (GeosetAnimation::kDropShadow | GeosetAnimation::kUseColor)
                           ? say("flags ", animation.flags, " have undefined bits")
                           : "";
              })),
    ModelRule("mdx.geoset-animation-color", always(kWarning), "unused colour track",
              "Set the flag 2 (use colour), or remove the track.",
              each<&Model::geoset_animations, "flags">([](const GeosetAnimation& animation) {
                return (animation.flags & GeosetAnimation::kUseColor) == 0 &&
                               find_track(animation.tracks, FourCC{"KGAC"}) != nullptr
                           ? "the colour track has no effect without the flag 2 (use colour)"
                           : "";
              })),
    ModelRule("mdx.geoset-animation-count", {kInfo, kOff, kOff},
              "number of geoset animations differs from geosets",
              "Most exporters write one per geoset; the game does not need them.",
              once<"GEOA">([](const Model& model) {
                return model.geoset_animations.size() != model.geosets.size()
                           ? say(counted_noun(model.geoset_animations.size(), "geoset animation"), " for ",
                                 counted_noun(model.geosets.size(), "geoset"))
                           : "";
              })),
    ModelRule("mdx.geoset-animation-sequence", always(kInfo),
              "sequence without a key of a geoset's alpha or colour",
              "The game then uses 1 (alpha) or black (colour), regardless of earlier values. Add a key.",
              sequence_without_key),
    ModelRule("mdx.geoset-animation-opening", {kWarning, kInfo, kInfo},
              "no key of a geoset's alpha or colour at a sequence's start",
              "Until the first key the game uses the sequence's last value, so the geoset may flicker. Add a "
              "key there.",
              sequence_opening),
};

}  // namespace

std::span<const ModelRule> geoset_animation_rules() { return kGeosetAnimationRules; }

}  // namespace thaw::mdx::rules
