// Nodes that neither move anything nor are requested, and pivots without a node.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Its children would be where they are without it.
bool only_passes_on(const Node& node) { return node.tracks.empty() && (node.flags & ~node_flag::kBone) == 0; }

/// The game requires one.
void keep_a_bone(Document& document, std::set<std::int32_t>& removed_ids) {
  std::optional<std::int32_t> first;
  bool stays = false;
  for_each<Bones>(document, [&](Bone& bone, std::size_t) {
    first = first.value_or(bone.node.object_id);
    stays = stays || !removed_ids.contains(bone.node.object_id);
  });
  if (first && !stays) {
    removed_ids.erase(*first);
  }
}

std::size_t drop_extra_pivots(Document& document) {
  auto* pivots = document.find<Pivots>();
  const auto nodes = nodes_by_id(document);
  const std::size_t required =
      nodes.empty() ? 0 : static_cast<std::size_t>(std::max(nodes.rbegin()->first, -1) + 1);
  if (pivots == nullptr || document.find<BindPoses>() != nullptr || pivots->points.size() <= required) {
    return 0;
  }
  const std::size_t extra = pivots->points.size() - required;
  pivots->points.resize(required);
  return extra;
}

}  // namespace

std::size_t drop_idle_nodes(Document& document) {
  std::size_t removed = 0;
  std::size_t objects = 0;
  each_object(document, [&](const auto&, const std::string&) { ++objects; });
  while (objects == nodes_by_id(document).size() + removed) {  // two of one id would go together
    const auto nodes = nodes_by_id(document);
    std::set<std::int32_t> removed_ids;
    for (const auto& [id, has_children] : idle_nodes(document, true)) {
      const auto found = nodes.find(id);
      if (id >= 0 && (!has_children || (found != nodes.end() && only_passes_on(*found->second)))) {
        removed_ids.insert(id);
      }
    }
    keep_a_bone(document, removed_ids);
    if (removed_ids.empty()) {
      break;
    }
    removed += removed_ids.size();
    remove_nodes(document, removed_ids);
  }
  return removed + drop_extra_pivots(document);
}

}  // namespace thaw::mdx
