#include "formats/warcraft/mdx/convert/skin_split.hpp"

#include "formats/warcraft/mdx/scene/triangles.hpp"

#include <algorithm>
#include <span>

namespace thaw::mdx {
namespace {

constexpr std::size_t kMaxGroups = 256;
constexpr std::uint32_t kUnset = ~std::uint32_t{0};

void store_groups(Geoset& geoset, std::span<const std::uint32_t> used,
                  const std::vector<GroupBones>& groups) {
  geoset.matrix_groups.clear();
  geoset.matrix_indices.clear();
  for (const std::uint32_t group : used) {
    const auto& bones = groups[group];
    geoset.matrix_groups.push_back(static_cast<std::uint32_t>(bones.size()));
    geoset.matrix_indices.insert(geoset.matrix_indices.end(), bones.begin(), bones.end());
  }
}

template <class T>
Array<T> picked(const Array<T>& values, const std::vector<std::uint32_t>& vertices) {
  Array<T> result;
  for (const std::uint32_t vertex : vertices) {
    if (vertex < values.size()) {
      result.push_back(values[vertex]);
    }
  }
  return result;
}

/// Takes triangles in their order until one more would need too many groups.
class Divider {
 public:
  Divider(ConversionJob& job, const Geoset& geoset, const std::vector<GroupBones>& groups,
          const Array<std::uint32_t>& of_vertex)
      : job_(job),
        geoset_(geoset),
        groups_(groups),
        of_vertex_(of_vertex),
        number_(groups.size(), kUnset),
        place_(geoset.positions.size(), kUnset) {}

  Result<std::vector<Geoset>> divide() {
    const auto triangles = triangulate(geoset_).indices;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
      const auto corners = std::span(triangles).subspan(t, 3);
      if (used_.size() + fresh(corners) > kMaxGroups) {
        if (auto closed = close(); !closed) {
          return tl::unexpected<Error>(std::move(closed.error()));
        }
      }
      for (const std::uint32_t vertex : corners) {
        indices_.push_back(static_cast<std::uint16_t>(local(vertex)));
      }
    }
    if (auto closed = close(); !closed) {
      return tl::unexpected<Error>(std::move(closed.error()));
    }
    return std::move(parts_);
  }

 private:
  [[nodiscard]] std::size_t fresh(std::span<const std::uint32_t> corners) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::uint32_t group = of_vertex_[corners[i]];
      const auto before = corners.first(i);
      const bool named = std::any_of(before.begin(), before.end(),
                                     [&](std::uint32_t vertex) { return of_vertex_[vertex] == group; });
      count += number_[group] == kUnset && !named ? 1U : 0U;
    }
    return count;
  }

  std::uint32_t local(std::uint32_t vertex) {
    const std::uint32_t group = of_vertex_[vertex];
    if (number_[group] == kUnset) {
      number_[group] = static_cast<std::uint32_t>(used_.size());
      used_.push_back(group);
    }
    if (place_[vertex] == kUnset) {
      place_[vertex] = static_cast<std::uint32_t>(vertices_.size());
      vertices_.push_back(vertex);
      vertex_groups_.push_back(static_cast<std::uint8_t>(number_[group]));
    }
    return place_[vertex];
  }

  /// Of the part that is about to be closed; what its indices and groups take is in the file, too.
  [[nodiscard]] std::uint64_t repeated() const {
    std::size_t per_vertex = sizeof(Vec3) * 2 + (geoset_.tangents ? sizeof(Vec4) : 0);
    for (const auto& set : geoset_.uv_sets) {
      per_vertex += set.coordinates.empty() ? 0 : sizeof(Vec2);
    }
    return sizeof(Geoset) + std::uint64_t{geoset_.uv_sets.size()} * sizeof(UvSet) +
           std::uint64_t{geoset_.sequence_extents.size()} * sizeof(Extent) +
           std::uint64_t{vertices_.size()} * per_vertex;
  }

  Result<void> close() {
    if (auto spent = job_.spend(repeated()); !spent) {
      return spent;
    }
    Geoset part;
    part.positions = picked(geoset_.positions, vertices_);
    part.normals = picked(geoset_.normals, vertices_);
    part.primitive_types.assign(1, PrimitiveType::triangles);
    part.primitive_counts.assign(1, static_cast<std::uint32_t>(indices_.size()));
    part.indices = std::move(indices_);
    part.vertex_groups = std::move(vertex_groups_);
    store_groups(part, used_, groups_);
    part.material_id = geoset_.material_id;
    part.selection_group = geoset_.selection_group;
    part.selection_flags = geoset_.selection_flags;
    part.lod = geoset_.lod;
    part.lod_name = geoset_.lod_name;
    part.extent = geoset_.extent;
    if (geoset_.tangents) {
      part.tangents = picked(*geoset_.tangents, vertices_);
    }
    for (const auto& set : geoset_.uv_sets) {
      part.uv_sets.push_back({picked(set.coordinates, vertices_)});
    }
    parts_.push_back(std::move(part));
    begin();
    return {};
  }

  void begin() {
    for (const std::uint32_t group : used_) {
      number_[group] = kUnset;
    }
    for (const std::uint32_t vertex : vertices_) {
      place_[vertex] = kUnset;
    }
    used_.clear();
    vertices_.clear();
    indices_.clear();
    vertex_groups_.clear();
  }

  ConversionJob& job_;
  const Geoset& geoset_;
  const std::vector<GroupBones>& groups_;
  const Array<std::uint32_t>& of_vertex_;
  std::vector<std::uint32_t> number_;  ///< of each group in the current part
  std::vector<std::uint32_t> place_;   ///< of each vertex in the current part
  std::vector<std::uint32_t> used_;
  std::vector<std::uint32_t> vertices_;
  Array<std::uint16_t> indices_;
  Array<std::uint8_t> vertex_groups_;
  std::vector<Geoset> parts_;
};

}  // namespace

Result<std::vector<Geoset>> assign_groups(ConversionJob& job, Geoset& geoset,
                                          const std::vector<GroupBones>& groups,
                                          const Array<std::uint32_t>& group_of_vertex) {
  if (groups.size() > kMaxGroups) {
    auto parts = Divider(job, geoset, groups, group_of_vertex).divide();
    if (parts) {
      parts->front().sequence_extents = std::move(geoset.sequence_extents);
      geoset = std::move(parts->front());
      parts->erase(parts->begin());
    }
    return parts;
  }
  std::vector<std::uint32_t> all(groups.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint32_t>(i);
  }
  store_groups(geoset, all, groups);
  geoset.vertex_groups.resize(group_of_vertex.size(), 0);
  for (std::size_t v = 0; v < group_of_vertex.size(); ++v) {
    geoset.vertex_groups[v] = static_cast<std::uint8_t>(group_of_vertex[v]);
  }
  return std::vector<Geoset>();
}

}  // namespace thaw::mdx
