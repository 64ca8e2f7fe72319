#include "formats/warcraft/mdx/scene/values.hpp"

namespace thaw::mdx {

Value to_value(const Extent& extent) {
  Value value;
  value.set("boundsRadius", extent.bounds_radius);
  value.set("minimum", to_value(extent.minimum));
  value.set("maximum", to_value(extent.maximum));
  return value;
}

Value to_value(const Track& track) {
  const unsigned components = track.components();
  const bool integer = track_type(track.tag).integer;
  Value::List frames;
  Value::List numbers;
  const std::size_t keys = components == 0 ? 0 : track.size();
  const unsigned parts = track.has_tangents() ? 3 : 1;
  for (std::size_t key = 0; key < keys; ++key) {
    frames.emplace_back(std::int64_t{track.frame(key)});
    for (unsigned part = 0; part < parts; ++part) {
      const Vec4 stored = track.value(key, part);
      for (unsigned i = 0; i < components; ++i) {
        if (integer) {
          numbers.emplace_back(std::int64_t{track.integer(key)});
        } else {
          numbers.emplace_back(stored[i]);
        }
      }
    }
  }
  Value value;
  value.set("interpolation", static_cast<std::uint32_t>(track.interpolation));
  value.set("globalSequence", std::int64_t{track.global_sequence});
  value.set("frames", std::move(frames));
  value.set("values", std::move(numbers));
  return value;
}

Value rare_tracks(const Tracks& tracks, std::span<const FourCC> tags) {
  Value value;
  for (const FourCC tag : tags) {
    if (const Track* track = find_track(tracks, tag)) {
      value.set(tag.view(), to_value(*track));
    }
  }
  return value;
}

}  // namespace thaw::mdx
