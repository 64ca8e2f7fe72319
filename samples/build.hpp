// Small tools to put MDX documents together by hand.
#pragma once

#include <thaw/mdx.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace thaw::samples {

/// Rounds to 1/4096, so that a last bit of difference between two C libraries' sines never reaches a file.
float snap(double value);
Vec3 snap(double x, double y, double z);

inline constexpr double kPi = 3.14159265358979323846;

/// One keyframe; tangents only where the track's interpolation has them.
struct Key {
  std::int32_t frame = 0;
  std::vector<float> value;
  std::vector<float> in;
  std::vector<float> out;
};

mdx::Track track(FourCC tag, mdx::Interpolation interpolation, const std::vector<Key>& keys,
                 std::int32_t global_sequence = -1);
/// A stepped track of whole numbers: texture ids, slots.
mdx::Track integer_track(FourCC tag, const std::vector<std::pair<std::int32_t, std::int32_t>>& keys,
                         std::int32_t global_sequence = -1);
/// A rotation by `radians` about an axis, as x y z w.
std::vector<float> turn(Vec3 axis, double radians);
/// First the inner rotation, then the outer one.
std::vector<float> combine(const std::vector<float>& outer, const std::vector<float>& inner);

mdx::Node node(std::string_view name, std::int32_t object_id, std::int32_t parent_id, std::uint32_t flags);
mdx::Texture texture(std::string_view path, std::uint32_t replaceable_id = 0, std::uint32_t flags = 0);
mdx::Sequence sequence(std::string_view name, std::uint32_t start, std::uint32_t end, bool looping,
                       const mdx::Extent& extent);
mdx::Extent extent_of(const Array<Vec3>& points);

template <class Camera>
Camera camera(std::string_view name, const Vec3& position, const Vec3& target, float field_of_view,
              float near_clip, float far_clip) {
  Camera made;
  made.name.assign(name);
  made.position = position;
  made.target = target;
  made.field_of_view = field_of_view;
  made.near_clip = near_clip;
  made.far_clip = far_clip;
  return made;
}

/// Appends a chunk and returns its body.
template <class Body, class Document>
Body& add_chunk(Document& document, FourCC tag, Body body = {}) {
  // Callers hold on to several chunks at once: the list must not move.
  constexpr std::size_t kMostChunks = 64;
  document.chunks.reserve(kMostChunks);
  document.chunks.push_back({tag, std::move(body), {}, {}});
  return std::get<Body>(document.chunks.back().body);
}
/// A chunk of bytes without a meaning.
void add_opaque(mdx::Document& document, FourCC tag, std::string_view bytes);

}  // namespace thaw::samples
