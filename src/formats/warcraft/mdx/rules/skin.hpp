// Weights and groups, for rules and for mending.
#pragma once

#include <thaw/mdx.hpp>

#include <set>

namespace thaw::mdx::rules {

inline constexpr unsigned kFullWeight = 255;
/// A vertex group that means none.
inline constexpr std::size_t kNoGroup = 255;

template <class Entry>
unsigned weight_sum(const Entry& entry) {
  return static_cast<unsigned>(entry[4] + entry[5] + entry[6] + entry[7]);
}

/// Adds the object ids of all matrix groups that some vertex is in.
inline void add_used_groups(const Geoset& geoset, std::set<std::int64_t>& ids) {
  std::vector<bool> used(geoset.matrix_groups.size());
  for (const auto group : geoset.vertex_groups) {
    if (group < used.size()) {
      used[group] = true;
    }
  }
  std::size_t first = 0;
  for (std::size_t group = 0; group < used.size(); ++group) {
    const std::size_t left = geoset.matrix_indices.size() - first;
    const std::size_t size = std::min<std::size_t>(geoset.matrix_groups[group], left);
    for (std::size_t i = 0; used[group] && i < size; ++i) {
      ids.insert(geoset.matrix_indices[first + i]);
    }
    first += size;
  }
}

}  // namespace thaw::mdx::rules
