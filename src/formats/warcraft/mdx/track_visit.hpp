// All tracks of a document in one go, with what their objects show without them.
#pragma once

#include "formats/warcraft/mdx/scene/math.hpp"

#include <thaw/mdx.hpp>

#include <functional>
#include <optional>

namespace thaw::mdx {

struct TrackLocation {
  /// Number of the object among all that can have tracks. The same in two documents with the same objects.
  std::size_t owner = 0;
  FourCC tag;

  friend bool operator==(const TrackLocation&, const TrackLocation&) = default;
  // By hand: the arrays of the browsers' standard library have no <=>.
  friend bool operator<(const TrackLocation& a, const TrackLocation& b) {
    return a.owner != b.owner ? a.owner < b.owner : a.tag.bytes < b.tag.bytes;
  }
};

/// Facts of the object that a track belongs to.
struct TrackFacts {
  TrackLocation place;
  /// What the property is without the track, in the terms of its keys; none where that is not certain.
  std::optional<Double4> rest;
  const Node* node = nullptr;  ///< that it moves
  /// Not to be touched: every key of a squirting emitter's rate fires
  /// (warcraft3-rendering.md#sprite-particles), and of two tracks of one tag it is not certain which one
  /// counts.
  bool fixed = false;
};

/// Calls `visit` for each track and removes those for which it returns true. Slots with texture flipbooks are
/// objects of their own.
void edit_tracks(Document& document, const std::function<bool(Track&, const TrackFacts&)>& visit);

/// The same without changes.
void visit_tracks(const Document& document,
                  const std::function<void(const Track&, const TrackFacts&)>& visit);

}  // namespace thaw::mdx
