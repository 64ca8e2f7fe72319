// Small documents put together from objects.
#pragma once

#include <thaw/mdx.hpp>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace thaw::test {

inline std::uint32_t word_of(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

inline float value_of(std::uint32_t word) {
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// A frame and the floats behind it: the value and, with Hermite and Bezier, the in and out tangents.
struct TrackKey {
  std::int32_t frame = 0;
  std::vector<float> numbers;
};

inline mdx::Track make_track(std::string_view tag, mdx::Interpolation interpolation,
                             const std::vector<TrackKey>& keys, std::int32_t global_sequence = -1) {
  mdx::Track track;
  std::copy_n(tag.data(), track.tag.bytes.size(), track.tag.bytes.begin());
  track.interpolation = interpolation;
  track.global_sequence = global_sequence;
  for (const auto& key : keys) {
    track.words.push_back(static_cast<std::uint32_t>(key.frame));
    for (const float number : key.numbers) {
      track.words.push_back(word_of(number));
    }
  }
  return track;
}

/// A step track of integers.
inline mdx::Track make_integer_track(std::string_view tag,
                                     const std::vector<std::pair<std::int32_t, std::int32_t>>& keys) {
  mdx::Track track = make_track(tag, mdx::Interpolation::none, {});
  for (const auto& [frame, value] : keys) {
    track.words.push_back(static_cast<std::uint32_t>(frame));
    track.words.push_back(static_cast<std::uint32_t>(value));
  }
  return track;
}

inline mdx::Node make_node(std::string_view name, std::int32_t id, std::int32_t parent = -1,
                           mdx::Tracks tracks = {}) {
  mdx::Node node;
  node.name.assign(name);
  node.object_id = id;
  node.parent_id = parent;
  node.tracks = std::move(tracks);
  return node;
}

inline mdx::Bone make_bone(std::string_view name, std::int32_t id, std::int32_t parent = -1,
                           mdx::Tracks tracks = {}) {
  mdx::Bone bone;
  bone.node = make_node(name, id, parent, std::move(tracks));
  return bone;
}

inline mdx::Sequence make_sequence(std::string_view name, std::uint32_t start, std::uint32_t end) {
  mdx::Sequence sequence;
  sequence.name.assign(name);
  sequence.start = start;
  sequence.end = end;
  return sequence;
}

/// A document of one chunk for each body.
template <class... Bodies>
mdx::Document make_document(Bodies... bodies) {
  mdx::Document document;
  const auto add = [&](auto body) {
    mdx::Chunk chunk;
    chunk.body = std::move(body);
    document.chunks.push_back(std::move(chunk));
  };
  (add(std::move(bodies)), ...);
  return document;
}

template <class Item>
mdx::List<Item> list_of(std::vector<Item> items) {
  return {std::move(items)};
}

inline mdx::Pivots make_pivots(std::initializer_list<Vec3> points) {
  mdx::Pivots pivots;
  pivots.points.assign(points.begin(), points.end());
  return pivots;
}

inline mdx::GlobalSequences make_globals(std::initializer_list<std::uint32_t> durations) {
  mdx::GlobalSequences globals;
  globals.durations.assign(durations.begin(), durations.end());
  return globals;
}

}  // namespace thaw::test
