// Geosets of one material that are always seen together become one.
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/renumbering.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx {
namespace {

constexpr std::size_t kMostVertices = 65535;
/// A vertex names its group in a byte.
constexpr std::size_t kMostGroups = 256;

/// Drawn in any order, it looks the same: whoever is nearer hides the other.
bool is_opaque(const Material& material) {
  constexpr std::uint32_t kNoDepth = Layer::kNoDepthTest | Layer::kNoDepthSet;
  return !material.layers.empty() && material.layers.front().filter_mode <= FilterMode::transparent &&
         (material.layers.front().shading_flags & kNoDepth) == 0;
}

bool has_triangles(const Geoset& geoset) {
  return !geoset.primitive_types.empty() &&
         std::all_of(geoset.primitive_types.begin(), geoset.primitive_types.end(),
                     [](PrimitiveType type) { return type == PrimitiveType::triangles; });
}

using Groups = std::vector<std::vector<std::uint32_t>>;
Groups groups_of(const Geoset& geoset) {
  Groups groups;
  std::size_t next = 0;
  for (const std::uint32_t count : geoset.matrix_groups) {
    auto& group = groups.emplace_back();
    for (std::uint32_t i = 0; i < count && next < geoset.matrix_indices.size(); ++i) {
      group.push_back(geoset.matrix_indices[next++]);
    }
  }
  return groups;
}

void include(Extent& extent, const Extent& other) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    extent.minimum.at(axis) = std::min(extent.minimum.at(axis), other.minimum.at(axis));
    extent.maximum.at(axis) = std::max(extent.maximum.at(axis), other.maximum.at(axis));
  }
  extent.bounds_radius = std::max(extent.bounds_radius, other.bounds_radius);
}

template <class List>
void append(List& list, const List& other) {
  list.insert(list.end(), other.begin(), other.end());
}

class GeosetMerger {
 public:
  explicit GeosetMerger(Document& document)
      : document_(document), materials_(std::as_const(document).all<Materials>()) {
    for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) { geosets_.push_back(&geoset); });
    into_.resize(geosets_.size());
    for_each<GeosetAnimations>(document, [&](const GeosetAnimation& animation, std::size_t) {
      animations_.emplace(animation.geoset_id, &animation);
    });
  }

  std::size_t run() {
    for (std::size_t i = 0; i < geosets_.size(); ++i) {
      into_[i] = i;
      for (std::size_t earlier = 0; earlier < i && i < kMaxCompared && into_[i] == i; ++earlier) {
        if (into_[earlier] == earlier && belong_together(earlier, i) &&
            merge(*geosets_[earlier], *geosets_[i])) {
          into_[i] = earlier;
        }
      }
    }
    Renumbering numbers(geosets_.size());
    numbers.use_all();
    const std::size_t removed =
        numbers.number([&](std::size_t earlier, std::size_t i) { return into_[i] == earlier; });
    if (removed > 0) {
      keep_geosets(document_, numbers);
    }
    return removed;
  }

 private:
  [[nodiscard]] bool belong_together(std::size_t first, std::size_t second) {
    Geoset& a = *geosets_[first];
    Geoset& b = *geosets_[second];
    const auto material = static_cast<std::size_t>(a.material_id);
    const auto size_of = [](const auto& skin) { return skin ? skin->size() : 0; };
    return a.material_id == b.material_id && a.material_id >= 0 && material < materials_.size() &&
           is_opaque(*materials_[material]) && a.selection_group == b.selection_group &&
           a.selection_flags == b.selection_flags && a.lod == b.lod && a.lod_name == b.lod_name &&
           a.remainder == b.remainder && a.uv_sets.size() == b.uv_sets.size() &&
           a.sequence_extents.size() == b.sequence_extents.size() &&
           (size_of(a.tangents) > 0) == (size_of(b.tangents) > 0) &&
           (size_of(a.skin) > 0) == (size_of(b.skin) > 0) &&
           (size_of(a.wide_skin) > 0) == (size_of(b.wide_skin) > 0) && has_triangles(a) && has_triangles(b) &&
           has_sound_arrays(a) && has_sound_arrays(b) && has_all_arrays(a) && has_all_arrays(b) &&
           a.positions.size() + b.positions.size() <= kMostVertices && are_seen_together(first, second);
  }

  /// An empty array would be filled by the other's.
  static bool has_all_arrays(const Geoset& geoset) {
    const std::size_t count = geoset.positions.size();
    return geoset.normals.size() == count && geoset.vertex_groups.size() == count &&
           std::all_of(geoset.uv_sets.begin(), geoset.uv_sets.end(),
                       [&](const UvSet& set) { return set.coordinates.size() == count; });
  }

  [[nodiscard]] bool are_seen_together(std::size_t first, std::size_t second) const {
    const auto of = [&](std::size_t index) {
      return animations_.equal_range(static_cast<std::int32_t>(index));
    };
    const auto a = of(first);
    const auto b = of(second);
    const auto count = std::distance(a.first, a.second);
    if (count != std::distance(b.first, b.second) || count > 1) {
      return false;
    }
    if (count == 0) {
      return true;
    }
    GeosetAnimation other = *b.first->second;
    other.geoset_id = a.first->second->geoset_id;
    return other == *a.first->second;
  }

  /// False, and nothing changed, where there are too many groups of bones.
  static bool merge(Geoset& a, const Geoset& b) {
    Groups groups = groups_of(a);
    std::vector<std::uint8_t> numbers;
    const bool skinned = a.skin || a.wide_skin;
    for (const auto& group : groups_of(b)) {
      const auto same = std::find(groups.begin(), groups.end(), group);
      numbers.push_back(static_cast<std::uint8_t>(same - groups.begin()));
      if (same == groups.end()) {
        groups.push_back(group);
      }
    }
    const bool known = std::all_of(b.vertex_groups.begin(), b.vertex_groups.end(), [&](std::uint8_t group) {
      return group < numbers.size() || (skinned && group == 0xFF);
    });
    if (!known || groups.size() > kMostGroups) {
      return false;
    }
    append_vertices(a, b);
    for (const std::uint8_t group : b.vertex_groups) {
      a.vertex_groups.push_back(group < numbers.size() ? numbers[group] : group);
    }
    a.matrix_groups.clear();
    a.matrix_indices.clear();
    for (const auto& group : groups) {
      a.matrix_groups.push_back(static_cast<std::uint32_t>(group.size()));
      a.matrix_indices.insert(a.matrix_indices.end(), group.begin(), group.end());
    }
    return true;
  }

  static void append_vertices(Geoset& a, const Geoset& b) {
    for (const std::uint16_t index : b.indices) {
      a.indices.push_back(static_cast<std::uint16_t>(index + a.positions.size()));
    }
    append(a.positions, b.positions);
    append(a.normals, b.normals);
    a.primitive_types.assign(1, PrimitiveType::triangles);
    a.primitive_counts.assign(1, static_cast<std::uint32_t>(a.indices.size()));
    include(a.extent, b.extent);
    for (std::size_t i = 0; i < a.sequence_extents.size(); ++i) {
      include(a.sequence_extents[i], b.sequence_extents[i]);
    }
    const auto append_optional = [](auto& list, const auto& other) {
      if (list && other) {
        append(*list, *other);
      }
    };
    append_optional(a.tangents, b.tangents);
    append_optional(a.skin, b.skin);
    append_optional(a.wide_skin, b.wide_skin);
    for (std::size_t i = 0; i < a.uv_sets.size(); ++i) {
      append(a.uv_sets[i].coordinates, b.uv_sets[i].coordinates);
    }
  }

  Document& document_;
  std::vector<const Material*> materials_;
  std::vector<Geoset*> geosets_;
  std::vector<std::size_t> into_;  ///< what each became a part of; itself for others
  std::multimap<std::int32_t, const GeosetAnimation*> animations_;
};

}  // namespace

std::size_t merge_geosets(Document& document) { return GeosetMerger(document).run(); }

}  // namespace thaw::mdx
