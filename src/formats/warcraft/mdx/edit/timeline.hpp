// The time line of a document being changed: keys that come without changing what is played, and stretches
// after everything.
#pragma once

#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <optional>
#include <string_view>

namespace thaw::mdx {

/// What a track plays, in the file's own terms.
class TrackSampler {
 public:
  explicit TrackSampler(const Track& track);

  /// None where the window has no key.
  [[nodiscard]] std::optional<Vec4> at(const Window& window, double frame) const;

 private:
  KeyList list_;
};

/// Adds a key where a window begins and the track plays on from its last key there to its first one, so that
/// the same is played with that key. Where tangents turn, some more keys are needed. False, and nothing
/// changed, where a key would play in another window, too.
bool add_opening_key(Track& track, const Window& window, std::span<const Window> windows);

/// Drops keys that none of the windows reaches, but the one at frame 0, which tools set apart, and the last
/// that is left. Returns how many.
std::size_t drop_unreached_keys(Track& track, std::span<const Window> windows);

Window window_of(const Sequence& sequence);

/// A frame after all sequences, keys and events, with some air.
std::int64_t free_frame(const Document& document);

using ChoosesTracks = bool (*)(const Track& track, const TrackFacts& facts);
/// Gives tracks that play in `shown` a key at `at` with what they show at a frame of that window.
void hold_tracks(Document& document, const Window& shown, std::int64_t frame, std::int64_t at,
                 ChoosesTracks chooses);

/// Adds a sequence after the others; geosets get their own bounds for it.
void add_sequence(Document& document, const Sequence& sequence);

/// Gives sequences that lie over each other places of their own on the time line: of two the longer one moves
/// after everything, with copies of the keys and events that it plays. What is played stays the same.
/// Returns which moved.
std::vector<std::size_t> separate_sequences(Document& document);

/// Adds a sequence in which everything stands as it does where another one begins.
void add_still_sequence(Document& document, std::string_view name, std::size_t like, std::uint32_t flags);

}  // namespace thaw::mdx
