// Vertices that no face has, or that are equal bit by bit in everything they have.
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace thaw::mdx {
namespace {

/// Applies `visit` to all arrays with one element per vertex.
template <class Visit>
void each_vertex_array(Geoset& geoset, Visit&& visit) {
  visit(geoset.positions);
  visit(geoset.normals);
  visit(geoset.vertex_groups);
  if (geoset.tangents) {
    visit(*geoset.tangents);
  }
  if (geoset.skin) {
    visit(*geoset.skin);
  }
  if (geoset.wide_skin) {
    visit(*geoset.wide_skin);
  }
  for (auto& set : geoset.uv_sets) {
    visit(set.coordinates);
  }
}

std::string bits_of(Geoset& geoset, std::size_t vertex) {
  std::string bits;
  each_vertex_array(geoset, [&](const auto& array) {
    if (!array.empty()) {
      const auto* begin = reinterpret_cast<const char*>(&array[vertex]);
      bits.append(begin, sizeof(array[vertex]));
    }
  });
  return bits;
}

std::size_t merge(Geoset& geoset) {
  if (!has_sound_arrays(geoset)) {
    return 0;
  }
  std::vector<bool> used(geoset.positions.size(), false);
  for (const std::uint16_t index : geoset.indices) {
    used[index] = true;
  }
  std::unordered_map<std::string, std::uint16_t> numbers;  // only looked up, so its order does not show
  std::vector<std::uint16_t> number_of_vertex;
  std::vector<std::size_t> first;
  for (std::size_t v = 0; v < geoset.positions.size(); ++v) {
    if (!used[v]) {
      number_of_vertex.push_back(0);
      continue;
    }
    const auto next = static_cast<std::uint16_t>(first.size());
    const auto [found, fresh] = numbers.emplace(bits_of(geoset, v), next);
    number_of_vertex.push_back(found->second);
    if (fresh) {
      first.push_back(v);
    }
  }
  const std::size_t removed = geoset.positions.size() - first.size();
  if (removed == 0 || first.empty() || first.size() > 65536) {
    return 0;
  }
  each_vertex_array(geoset, [&](auto& array) {
    if (array.empty()) {
      return;
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
      array[i] = array[first[i]];
    }
    array.resize(first.size());
  });
  for (auto& index : geoset.indices) {
    index = number_of_vertex[index];
  }
  return removed;
}

}  // namespace

bool has_sound_arrays(Geoset& geoset) {
  const std::size_t count = geoset.positions.size();
  bool sound = true;
  each_vertex_array(geoset,
                    [&](const auto& array) { sound = sound && (array.empty() || array.size() == count); });
  return sound && std::all_of(geoset.indices.begin(), geoset.indices.end(),
                              [&](std::uint16_t index) { return index < count; });
}

std::size_t merge_vertices(Document& document) {
  std::size_t removed = 0;
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) { removed += merge(geoset); });
  return removed;
}

}  // namespace thaw::mdx
