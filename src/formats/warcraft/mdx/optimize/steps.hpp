// The steps of optimize(). Each changes the document and returns how many things it removed.
#pragma once

#include "formats/warcraft/mdx/scene/track.hpp"
#include "formats/warcraft/mdx/track_visit.hpp"

#include <thaw/mdx.hpp>

#include <map>
#include <set>
#include <span>
#include <vector>

namespace thaw::mdx {

/// The time lines of a document.
struct TimeLines {
  explicit TimeLines(const Document& document);

  std::vector<Window> sequences;
  std::vector<Window> globals;

  /// The windows in which a track is played: all sequences, or its global sequence. Empty where the track
  /// follows a global sequence that does not exist, or there are no sequences: nothing is certain then.
  [[nodiscard]] std::span<const Window> of(const Track& track) const;
};

/// How a track's keys are understood when they are compared.
TrackUse comparison_use(const Track& track);

/// Between two values of a track: of rotations the angle, of others the length.
double difference(const KeyList& list, const Double4& a, const Double4& b);

/// Plays a track at any moment of a window, in seconds from its start.
class TrackPlayer {
 public:
  TrackPlayer(const KeyList& list, const Window& window)
      : list_(list), playback_(play(list, window, false)) {}

  [[nodiscard]] Double4 at(double time) const;
  [[nodiscard]] const Playback& playback() const { return playback_; }

 private:
  const KeyList& list_;
  Playback playback_;
};

/// The difference in a track that counts as 1 in the terms of OptimizeOptions::max_error. What turns or
/// scales a node counts by how far from the node anything is that it moves.
class Units {
 public:
  Units(const Document& document, double size);
  [[nodiscard]] double of(const Track& track, const TrackFacts& facts) const;

 private:
  double size_;
  std::map<std::int32_t, double> reach_;  ///< by id of the node
};

/// How far tracks may be from what they were.
struct Thinning {
  const TimeLines& lines;
  const Units& units;
  double tolerance = 0;  ///< in the terms of max_error
  /// Tracks that took what is allowed: only what changes nothing may still go.
  std::set<TrackLocation> rounded;

  [[nodiscard]] double of(const Track& track, const TrackFacts& facts) const;
};

std::size_t drop_idle_tracks(Document& document, const Thinning& thinning);
std::size_t drop_redundant_keys(Document& document, Thinning& thinning);
/// The same of one track; `tolerance` is in the terms of its values. Nothing goes where keys are not in
/// order.
std::size_t thin_track(Track& track, std::span<const Window> windows, double tolerance);
/// The same of tracks with tangents, which become lines or fewer turns where that is smaller, also than what
/// drop_redundant_keys makes of it where it follows. Returns of how many.
std::size_t fit_curves(Document& document, Thinning& thinning, bool keys_follow);

/// Returns how many nodes and pivots go.
std::size_t drop_idle_nodes(Document& document);
std::size_t merge_geosets(Document& document);

/// Do all arrays of a geoset have an element per vertex, or none, and all indices a vertex?
bool has_sound_arrays(Geoset& geoset);

/// Items that nobody refers to go; do equal ones become one, too?
enum class Merging : std::uint8_t { equal, none };
std::size_t merge_texture_animations(Document& document, Merging merging = Merging::equal);
std::size_t merge_materials(Document& document, Merging merging = Merging::equal);
std::size_t merge_textures(Document& document, Merging merging = Merging::equal);
std::size_t drop_global_sequences(Document& document);
std::size_t merge_vertices(Document& document);

/// The diagonal of the box around the vertices, or the pivots without any; at least something above 0.
double model_size(const Document& document);
/// The largest deviation between two documents with the same objects, in the terms of max_error.
double measure_deviation(const Document& before, const Document& after, const TimeLines& lines,
                         const Units& units, double size);

}  // namespace thaw::mdx
