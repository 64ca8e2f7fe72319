// Keys of a model that was edited elsewhere, put into the tracks that it came from, sequence by sequence.
#pragma once

#include "formats/warcraft/mdx/scene/track.hpp"

#include <thaw/mdx.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace thaw::mdx {

/// Whether two numbers are the same but for what programs lose that compute with floats.
inline bool same_float(float a, float b) {
  constexpr float kNoise = 2e-6F;
  return a == b || std::abs(a - b) <= kNoise * std::max({1.0F, std::abs(a), std::abs(b)});
}

/// A sequence of the edited model on its time line.
struct SequenceMove {
  std::ptrdiff_t was = -1;  ///< which sequence of the original it is or is a copy of; −1: it is new
  Window now;               ///< frames that it has
};

/// Gives a model the time line of the edited one: keys and events of sequences that moved, were copied or are
/// removed do, too. What lies between the sequences stays where no sequence came to lie.
void retime(Document& document, std::span<const SequenceMove> moves);

/// What became of a track.
enum class TrackMerge : std::uint8_t {
  merged,     ///< the original's keys stay, but for those of sequences that were edited
  rewritten,  ///< all are those of the edited model
};

/// `before` is what the original becomes on the way through a scene, `after` what came back, both on the time
/// line of `sequences`; `original_windows` are those of the original, in the same order. A sequence in which
/// both run alike, whatever keys say so, keeps the original's; places may be `far` apart.
TrackMerge merge_track(Track& original, const Track& before, const Track& after,
                       std::span<const Window> sequences, std::span<const Window> original_windows,
                       double far);

}  // namespace thaw::mdx
