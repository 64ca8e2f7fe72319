#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Errors add up along the hierarchy, so that each track gets a part of what is allowed: the largest with
/// which the model stays within it. At last keys are dropped only where nothing changes.
constexpr std::array kShares = {1.0 / 2, 1.0 / 8, 1.0 / 32, 1.0 / 256, 0.0};
/// Pairs of track and sequence; more can only be meant to waste time.
constexpr std::size_t kMaxTracksInSequences = std::size_t{1} << 22U;
/// Dropping keys can make a track idle, and the other way round.
constexpr int kMaxRounds = 8;

/// How many keys the windows play, one after the other. Where a track is not sorted, each may play all.
std::uint64_t keys_played(const Track& track, std::span<const Window> windows) {
  std::vector<std::int64_t> frames(track.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    frames[k] = track.frame(k);
  }
  if (!std::is_sorted(frames.begin(), frames.end())) {
    return std::uint64_t{frames.size()} * windows.size();
  }
  std::uint64_t played = 0;
  for (const Window& window : windows) {
    const auto first = std::lower_bound(frames.begin(), frames.end(), window.start);
    played += static_cast<std::uint64_t>(std::upper_bound(first, frames.end(), window.end) - first);
  }
  return played;
}

class Optimizer {
 public:
  Optimizer(const Document& source, const OptimizeOptions& options, Diagnostics& findings)
      : source_(source),
        findings_(findings),
        lines_(source),
        units_(source, model_size(source)),
        max_error_(std::clamp(options.max_error, 0.0, 1.0)),
        options_(options) {
    result_.size = model_size(source);
    result_.document = source;
    for (const auto step : kOptimizeSteps) {
      if (requested(step)) {
        result_.steps.push_back({step, 0, 0});
      }
    }
  }

  OptimizeResult run(std::uint64_t bytes_before) {
    result_.bytes_before = bytes_before;
    bytes_ = bytes_before;
    if (few_enough()) {
      thin_tracks();
    } else if (requested(OptimizeStep::tracks) || requested(OptimizeStep::curves) ||
               requested(OptimizeStep::keys)) {
      keep_tracks("sequences that overlap play too many keys to measure the deviation");
    }
    apply(OptimizeStep::nodes, drop_idle_nodes);
    while (shorten_lists() > 0) {
    }
    apply(OptimizeStep::geosets, merge_geosets);
    apply(OptimizeStep::vertices, merge_vertices);
    result_.bytes_after = bytes_;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool requested(OptimizeStep step) const {
    return options_.steps.at(static_cast<std::size_t>(step));
  }

  /// Sequences that overlap play the same keys again and again.
  [[nodiscard]] bool few_enough() const {
    constexpr std::uint64_t kMostPlayed = std::uint64_t{1} << 20U;
    std::size_t tracks = 0;
    visit_tracks(source_, [&](const Track&, const TrackFacts&) { ++tracks; });
    if (tracks * std::max<std::size_t>(1, lines_.sequences.size()) > kMaxTracksInSequences) {
      return false;
    }
    std::uint64_t keys = 0;
    std::uint64_t played = 0;
    visit_tracks(source_, [&](const Track& track, const TrackFacts&) {
      keys += track.size();
      played += keys_played(track, lines_.of(track));
    });
    return played <= 4 * keys + kMostPlayed;
  }

  template <class Work>
  std::size_t apply(OptimizeStep step, const Work& work) {
    if (!requested(step)) {
      return 0;
    }
    const std::size_t removed = work(result_.document);
    if (removed > 0) {
      const std::uint64_t now = write(result_.document).size();
      const auto entry = std::find_if(result_.steps.begin(), result_.steps.end(),
                                      [&](const OptimizeResult::Step& known) { return known.step == step; });
      entry->removed += removed;
      entry->bytes_won += bytes_ - std::min(bytes_, now);
      bytes_ = now;
    }
    return removed;
  }

  /// A material that goes frees its textures, and equal textures make equal materials.
  std::size_t shorten_lists() {
    const auto merging = [](auto merge) {
      return [merge](Document& document) { return merge(document, Merging::equal); };
    };
    return apply(OptimizeStep::texture_animations, merging(merge_texture_animations)) +
           apply(OptimizeStep::materials, merging(merge_materials)) +
           apply(OptimizeStep::textures, merging(merge_textures)) +
           apply(OptimizeStep::global_sequences, drop_global_sequences);
  }

  void thin_tracks() {
    const auto steps = result_.steps;
    for (const double share : kShares) {
      result_.document = source_;
      result_.steps = steps;
      bytes_ = result_.bytes_before;
      thin_with(max_error_ * share);
      result_.deviation =
          changed_ ? measure_deviation(source_, result_.document, lines_, units_, result_.size) : 0;
      if (result_.deviation <= max_error_) {
        return;
      }
    }
    result_.document = source_;
    result_.steps = steps;
    result_.deviation = 0;
    bytes_ = result_.bytes_before;
    keep_tracks("each change would deviate by more than is allowed, as all do with infinite values");
  }

  void keep_tracks(std::string_view why) {
    findings_.add(codes::kOptimizeTracks, "all tracks stay as they are: " + std::string(why));
  }

  void thin_with(double tolerance) {
    changed_ = false;
    Thinning thinning{lines_, units_, tolerance, {}};
    for (int round = 0; round < kMaxRounds; ++round) {
      std::size_t removed = apply(OptimizeStep::tracks,
                                  [&](Document& document) { return drop_idle_tracks(document, thinning); });
      if (round == 0) {
        removed += apply(OptimizeStep::curves, [&](Document& document) {
          return fit_curves(document, thinning, requested(OptimizeStep::keys));
        });
      }
      removed += apply(OptimizeStep::keys,
                       [&](Document& document) { return drop_redundant_keys(document, thinning); });
      changed_ = changed_ || removed > 0;
      if (removed == 0) {
        return;
      }
    }
  }

  const Document& source_;
  Diagnostics& findings_;
  TimeLines lines_;
  Units units_;
  double max_error_;
  OptimizeOptions options_;
  OptimizeResult result_;
  std::uint64_t bytes_ = 0;  ///< of the file as it would be written now
  bool changed_ = false;
};

}  // namespace

std::string_view optimize_step_name(OptimizeStep step) {
  constexpr std::array<std::string_view, kOptimizeStepCount> kNames = {
      "tracks",   "curves",           "keys",    "nodes",   "texture-animations", "materials",
      "textures", "global-sequences", "geosets", "vertices"};
  return kNames.at(static_cast<std::size_t>(step));
}

Result<OptimizeResult> optimize(const Document& document, const OptimizeOptions& options,
                                Diagnostics& findings) {
  const auto verified = write_verified(document);
  if (!verified) {
    return tl::unexpected<Error>(verified.error());
  }
  if (!verified->strict) {
    return fail(codes::kOptimizeDamaged,
                "the model was not optimised: a part of it cannot be read and may refer to anything; `thaw "
                "validate` names it");
  }
  return Optimizer(document, options, findings).run(verified->bytes.size());
}

}  // namespace thaw::mdx
