#include "build.hpp"

#include <cmath>

namespace thaw::samples {

using mdx::Interpolation;

float snap(double value) { return static_cast<float>(std::round(value * 4096.0) / 4096.0); }
Vec3 snap(double x, double y, double z) { return {snap(x), snap(y), snap(z)}; }

namespace {

void put_floats(Array<std::uint32_t>& words, const std::vector<float>& values) {
  for (const float value : values) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    words.push_back(word);
  }
}

}  // namespace

mdx::Track track(FourCC tag, Interpolation interpolation, const std::vector<Key>& keys,
                 std::int32_t global_sequence) {
  mdx::Track track{tag, interpolation, global_sequence, {}};
  for (const Key& key : keys) {
    track.words.push_back(static_cast<std::uint32_t>(key.frame));
    put_floats(track.words, key.value);
    if (track.has_tangents()) {
      // A key without tangents of its own rests: Hermite tangents are slopes, those of Bézier curves and of
      // rotations are control points.
      const bool slopes = interpolation == Interpolation::hermite && key.value.size() < 4;
      const std::vector<float> rest = slopes ? std::vector<float>(key.value.size()) : key.value;
      put_floats(track.words, key.in.empty() ? rest : key.in);
      put_floats(track.words, key.out.empty() ? rest : key.out);
    }
  }
  return track;
}

mdx::Track integer_track(FourCC tag, const std::vector<std::pair<std::int32_t, std::int32_t>>& keys,
                         std::int32_t global_sequence) {
  mdx::Track track{tag, Interpolation::none, global_sequence, {}};
  for (const auto& [frame, value] : keys) {
    track.words.push_back(static_cast<std::uint32_t>(frame));
    track.words.push_back(static_cast<std::uint32_t>(value));
  }
  return track;
}

std::vector<float> turn(Vec3 axis, double radians) {
  const double sine = std::sin(radians / 2);
  // Finer than snap: a quaternion's length shows in the third decimal.
  const auto fine = [](double value) {
    return static_cast<float>(std::round(value * 1048576.0) / 1048576.0);
  };
  return {fine(double{axis[0]} * sine), fine(double{axis[1]} * sine), fine(double{axis[2]} * sine),
          fine(std::cos(radians / 2))};
}

std::vector<float> combine(const std::vector<float>& outer, const std::vector<float>& inner) {
  const auto at = [&](std::size_t i, std::size_t j) { return double{outer[i]} * double{inner[j]}; };
  return {static_cast<float>(at(3, 0) + at(0, 3) + at(1, 2) - at(2, 1)),
          static_cast<float>(at(3, 1) - at(0, 2) + at(1, 3) + at(2, 0)),
          static_cast<float>(at(3, 2) + at(0, 1) - at(1, 0) + at(2, 3)),
          static_cast<float>(at(3, 3) - at(0, 0) - at(1, 1) - at(2, 2))};
}

mdx::Node node(std::string_view name, std::int32_t object_id, std::int32_t parent_id, std::uint32_t flags) {
  mdx::Node node;
  node.name.assign(name);
  node.object_id = object_id;
  node.parent_id = parent_id;
  node.flags = flags;
  return node;
}

mdx::Texture texture(std::string_view path, std::uint32_t replaceable_id, std::uint32_t flags) {
  mdx::Texture texture;
  texture.replaceable_id = replaceable_id;
  texture.path.assign(path);
  texture.flags = flags;
  return texture;
}

mdx::Sequence sequence(std::string_view name, std::uint32_t start, std::uint32_t end, bool looping,
                       const mdx::Extent& extent) {
  mdx::Sequence sequence;
  sequence.name.assign(name);
  sequence.start = start;
  sequence.end = end;
  sequence.flags = looping ? 0 : mdx::Sequence::kNonLooping;
  sequence.extent = extent;
  return sequence;
}

mdx::Extent extent_of(const Array<Vec3>& points) {
  mdx::Extent extent;
  if (points.empty()) {
    return extent;
  }
  extent.minimum = extent.maximum = points.front();
  double reach = 0;
  for (const Vec3& point : points) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      extent.minimum[axis] = std::min(extent.minimum[axis], point[axis]);
      extent.maximum[axis] = std::max(extent.maximum[axis], point[axis]);
      square += double{point[axis]} * double{point[axis]};
    }
    reach = std::max(reach, square);
  }
  extent.bounds_radius = snap(std::sqrt(reach));
  return extent;
}

void add_opaque(mdx::Document& document, FourCC tag, std::string_view bytes) {
  mdx::Chunk chunk{tag, mdx::Opaque{}, {}, {}};
  for (const char byte : bytes) {
    chunk.remainder.bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  chunk.remainder.state = Remainder::State::replaces_fields;
  document.chunks.push_back(std::move(chunk));
}

}  // namespace thaw::samples
