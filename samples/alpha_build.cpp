#include "alpha_build.hpp"

#include <algorithm>
#include <numeric>

namespace thaw::samples {
namespace {

void put_value(Array<std::uint32_t>& words, const std::vector<float>& value) {
  if (value.size() == 4) {
    const auto packed = static_cast<std::uint64_t>(
        mdx_alpha::pack_rotation({double{value[0]}, double{value[1]}, double{value[2]}, double{value[3]}}));
    words.push_back(static_cast<std::uint32_t>(packed));
    words.push_back(static_cast<std::uint32_t>(packed >> 32U));
    return;
  }
  for (const float number : value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    words.push_back(word);
  }
}

/// Up to four bones of a group, and weights that sum to 255.
std::pair<std::uint32_t, std::uint32_t> packed_bones(const std::uint32_t* bones, std::size_t count) {
  count = std::min<std::size_t>(count, 4);
  std::uint32_t indices = 0;
  std::uint32_t weights = 0;
  std::size_t rest = 255;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t weight = (rest + count - i - 1) / (count - i);
    rest -= weight;
    indices |= bones[i] << (8 * i);
    weights |= static_cast<std::uint32_t>(weight) << (8 * (3 - i));
  }
  return {indices, weights};
}

}  // namespace

mdx_alpha::Track alpha_track(FourCC tag, mdx::Interpolation interpolation, const std::vector<Key>& keys,
                             std::int32_t global_sequence) {
  mdx_alpha::Track track{tag, interpolation, global_sequence, {}};
  for (const Key& key : keys) {
    track.words.push_back(static_cast<std::uint32_t>(key.frame));
    put_value(track.words, key.value);
    if (track.has_tangents()) {
      const bool slopes = interpolation == mdx::Interpolation::hermite && key.value.size() < 4;
      const std::vector<float> rest = slopes ? std::vector<float>(key.value.size()) : key.value;
      put_value(track.words, key.in.empty() ? rest : key.in);
      put_value(track.words, key.out.empty() ? rest : key.out);
    }
  }
  return track;
}

mdx_alpha::Track alpha_index_track(FourCC tag, const std::vector<std::pair<std::int32_t, std::int32_t>>& keys,
                                   std::int32_t global_sequence) {
  mdx_alpha::Track track{tag, mdx::Interpolation::none, global_sequence, {}};
  for (const auto& [time, value] : keys) {
    track.words.push_back(static_cast<std::uint32_t>(time));
    track.words.push_back(static_cast<std::uint32_t>(value));
  }
  return track;
}

mdx_alpha::Node alpha_node(std::string_view name, std::int32_t object_id, std::int32_t parent_id,
                           std::uint32_t flags) {
  mdx_alpha::Node node;
  node.name.assign(name);
  node.object_id = object_id;
  node.parent_id = parent_id;
  node.flags = flags;
  return node;
}

mdx_alpha::Sequence alpha_sequence(std::string_view name, std::uint32_t start, std::uint32_t end,
                                   bool looping, const mdx::Extent& extent) {
  mdx_alpha::Sequence sequence;
  sequence.name.assign(name);
  sequence.start = start;
  sequence.end = end;
  sequence.flags = looping ? 0 : mdx_alpha::Sequence::kNonLooping;
  sequence.extent = extent;
  sequence.frequency = 1;
  sequence.blend_time = 150;
  return sequence;
}

mdx_alpha::Geoset alpha_geoset(const mdx::Geoset& source, std::size_t sequences) {
  mdx_alpha::Geoset geoset;
  geoset.positions = source.positions;
  geoset.normals = source.normals;
  geoset.uv_set_count = static_cast<std::uint32_t>(source.uv_sets.size());
  for (const auto& set : source.uv_sets) {
    geoset.uvs.insert(geoset.uvs.end(), set.coordinates.begin(), set.coordinates.end());
  }
  for (const auto type : source.primitive_types) {
    geoset.primitive_types.push_back(static_cast<std::uint8_t>(type));
  }
  geoset.primitive_counts = source.primitive_counts;
  geoset.indices = source.indices;
  geoset.vertex_groups = source.vertex_groups;
  geoset.matrix_groups = source.matrix_groups;
  geoset.matrix_indices = source.matrix_indices;
  geoset.material_id = source.material_id;
  geoset.extent = source.extent;
  geoset.sequence_extents.assign(sequences, source.extent);
  std::vector<std::uint32_t> first(geoset.matrix_groups.size() + 1);
  std::partial_sum(geoset.matrix_groups.begin(), geoset.matrix_groups.end(), first.begin() + 1);
  auto groups = geoset.vertex_groups;
  std::sort(groups.begin(), groups.end());
  for (const std::uint8_t group : groups) {
    const auto [bones, weights] =
        packed_bones(geoset.matrix_indices.data() + first.at(group), geoset.matrix_groups.at(group));
    geoset.bone_indices.push_back(bones);
    geoset.bone_weights.push_back(weights);
  }
  return geoset;
}

mdx_alpha::CollisionMesh box_mesh(const Vec3& minimum, const Vec3& maximum) {
  mdx_alpha::CollisionMesh mesh;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 point{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      point[axis] = (corner >> axis & 1U) != 0 ? maximum[axis] : minimum[axis];
    }
    mesh.positions.push_back(point);
  }
  // Corners of each side, counter-clockwise from outside.
  constexpr std::array<std::array<std::uint16_t, 4>, 6> kSides = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    const auto& c = kSides.at(side);
    for (const std::uint16_t index : {c[0], c[1], c[2], c[0], c[2], c[3]}) {
      mesh.indices.push_back(index);
    }
    Vec3 normal{};
    normal.at(side / 2) = side % 2 == 0 ? -1.0F : 1.0F;
    mesh.normals.insert(mesh.normals.end(), 2, normal);
  }
  return mesh;
}

}  // namespace thaw::samples
