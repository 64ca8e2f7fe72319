#include "formats/warcraft/mdx/edit/parts.hpp"

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Ids after some were removed.
class ClosedIds {
 public:
  explicit ClosedIds(const std::set<std::int32_t>& removed) : removed_(removed.begin(), removed.end()) {}

  template <class T>
  [[nodiscard]] T operator()(T id) const {
    const auto end = std::lower_bound(removed_.begin(), removed_.end(), static_cast<std::int64_t>(id));
    return static_cast<T>(id - static_cast<T>(end - removed_.begin()));
  }

 private:
  std::vector<std::int64_t> removed_;
};

template <class List>
void erase_at(List& list, const std::set<std::int32_t>& indices) {
  std::size_t retained = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!indices.contains(static_cast<std::int32_t>(i))) {
      list[retained++] = list[i];
    }
  }
  list.resize(retained);
}

/// An influence without weight may name anything.
template <class Skin>
void close_skin(Skin& skin, const std::set<std::int32_t>& removed, const ClosedIds& closed) {
  for (auto& entry : skin) {
    for (std::size_t i = 0; i < kSkinBones; ++i) {
      auto& id = entry.at(i);
      id = removed.contains(id) ? 0 : closed(id);
    }
  }
}

template <class Skin>
void add_skin_ids(const Skin& skin, std::set<std::int32_t>& ids) {
  for (const auto& entry : skin) {
    for (std::size_t i = 0; i < kSkinBones; ++i) {
      if (entry.at(kSkinBones + i) != 0) {
        ids.insert(entry.at(i));
      }
    }
  }
}

/// Those of the game end in one.
std::string_view without_blanks(std::string_view name) {
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

}  // namespace

std::map<std::int32_t, Node*> nodes_by_id(Document& document) {
  std::map<std::int32_t, Node*> nodes;
  each_object(document,
              [&](auto& item, const std::string&) { nodes.emplace(item.node.object_id, &item.node); });
  return nodes;
}

std::optional<std::int32_t> id_of_node(Document& document, std::string_view name) {
  std::optional<std::int32_t> id;
  each_object(document, [&](auto& item, const std::string&) {
    if (!id && ascii::same(without_blanks(item.node.name.view()), without_blanks(name))) {
      id = item.node.object_id;
    }
  });
  return id;
}

std::set<std::int32_t> ids_that_move_vertices(const Document& document) {
  std::set<std::int32_t> ids;
  for (const auto* geoset : document.all<Geosets>()) {
    if (geoset->skin) {
      add_skin_ids(*geoset->skin, ids);
    }
    if (geoset->wide_skin) {
      add_skin_ids(*geoset->wide_skin, ids);
    }
    for (const std::uint32_t id : geoset->matrix_indices) {
      ids.insert(static_cast<std::int32_t>(id));
    }
  }
  return ids;
}

void remove_nodes(Document& document, const std::set<std::int32_t>& ids) {
  std::map<std::int32_t, std::int32_t> parents;
  for (const auto& [id, node] : nodes_by_id(document)) {
    parents.emplace(id, node->parent_id);
  }
  const ClosedIds closed(ids);
  const auto heir = [&](std::int32_t parent) {
    for (std::size_t steps = 0; ids.contains(parent) && steps <= ids.size(); ++steps) {
      const auto found = parents.find(parent);
      parent = found == parents.end() ? -1 : found->second;
    }
    return ids.contains(parent) ? -1 : closed(parent);
  };
  for (auto& chunk : document.chunks) {
    std::visit(
        [&](auto& body) {
          if constexpr (requires { body.items.front().node; }) {
            auto& items = body.items;
            items.erase(std::remove_if(items.begin(), items.end(),
                                       [&](const auto& item) { return ids.contains(item.node.object_id); }),
                        items.end());
            for (auto& item : items) {
              item.node.parent_id = heir(item.node.parent_id);
              item.node.object_id = closed(item.node.object_id);
            }
          } else if constexpr (requires { body.points; }) {
            erase_at(body.points, ids);
          } else if constexpr (requires { body.poses; }) {
            erase_at(body.poses, ids);
          }
        },
        chunk.body);
  }
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) {
    for (auto& id : geoset.matrix_indices) {
      id = closed(id);
    }
    if (geoset.skin) {
      close_skin(*geoset.skin, ids, closed);
    }
    if (geoset.wide_skin) {
      close_skin(*geoset.wide_skin, ids, closed);
    }
  });
}

namespace {

/// The game requests these by name.
bool is_requested_for(std::string_view name) {
  constexpr std::array<std::string_view, 3> kNames = {"bone_head", "bone_chest", "bone_turret"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view prefix) { return ascii::begins_with(name, prefix); });
}

/// Gives nodes other ids: `numbers` has a new one for each.
void permute_nodes(Document& document, const std::vector<std::int32_t>& numbers) {
  const auto moved = [&](auto id) {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < numbers.size();
    return known ? static_cast<decltype(id)>(numbers[static_cast<std::size_t>(id)]) : id;
  };
  each_object(document, [&](auto& item, const std::string&) {
    item.node.object_id = moved(item.node.object_id);
    item.node.parent_id = moved(item.node.parent_id);
  });
  const auto permute = [&](auto& list) {
    const auto before = list;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      list[static_cast<std::size_t>(numbers[i])] = before[i];
    }
  };
  if (auto* pivots = document.find<Pivots>()) {
    permute(pivots->points);
  }
  if (auto* bind = document.find<BindPoses>(); bind != nullptr && bind->poses.size() >= numbers.size()) {
    permute(bind->poses);
  }
  const auto skin = [&](auto& entries) {
    for (auto& entry : entries) {
      for (std::size_t i = 0; i < kSkinBones; ++i) {
        entry.at(i) =
            static_cast<std::remove_reference_t<decltype(entry.at(i))>>(moved(std::int32_t{entry.at(i)}));
      }
    }
  };
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) {
    for (auto& id : geoset.matrix_indices) {
      id = static_cast<std::uint32_t>(moved(static_cast<std::int32_t>(id)));
    }
    if (geoset.skin) {
      skin(*geoset.skin);
    }
    if (geoset.wide_skin) {
      skin(*geoset.wide_skin);
    }
  });
}

}  // namespace

std::map<std::int32_t, bool> idle_nodes(Document& document, bool helpers) {
  const auto used = ids_that_move_vertices(document);
  std::map<std::int32_t, bool> idle;
  const auto look = [&](const Node& node) {
    if (!used.contains(node.object_id) && !is_requested_for(node.name.view())) {
      idle.emplace(node.object_id, false);
    }
  };
  for_each<Bones>(document, [&](Bone& bone, std::size_t) { look(bone.node); });
  if (helpers) {
    for_each<Helpers>(document, [&](Helper& helper, std::size_t) { look(helper.node); });
  }
  for (const auto& [id, node] : nodes_by_id(document)) {
    if (const auto parent = idle.find(node->parent_id); parent != idle.end() && node->parent_id != id) {
      parent->second = true;
    }
  }
  return idle;
}

bool has_counted_nodes(Document& document) {
  const auto nodes = nodes_by_id(document);
  const auto* pivots = document.find<Pivots>();
  return !nodes.empty() && nodes.begin()->first == 0 &&
         nodes.rbegin()->first == static_cast<std::int32_t>(nodes.size()) - 1 && pivots != nullptr &&
         pivots->points.size() == nodes.size();
}

void bones_first(Document& document) {
  std::set<std::int32_t> bones;
  for_each<Bones>(document, [&](Bone& bone, std::size_t) { bones.insert(bone.node.object_id); });
  std::vector<std::int32_t> numbers(document.find<Pivots>()->points.size());
  auto bone = std::int32_t{0};
  auto other = static_cast<std::int32_t>(bones.size());
  for (std::size_t id = 0; id < numbers.size(); ++id) {
    numbers[id] = bones.contains(static_cast<std::int32_t>(id)) ? bone++ : other++;
  }
  permute_nodes(document, numbers);
}

std::size_t settle_idle_bones(Document& document) {
  std::size_t rounded = 0;
  while (true) {
    std::set<std::int32_t> leaves;
    for (const auto& [id, has_children] : idle_nodes(document, false)) {
      if (!has_children) {
        leaves.insert(id);
      }
    }
    if (leaves.empty()) {
      break;
    }
    rounded += leaves.size();
    remove_nodes(document, leaves);
  }
  const auto idle = idle_nodes(document, false);
  if (idle.empty() || !has_counted_nodes(document)) {
    return rounded;
  }
  std::vector<Helper> helpers;
  for (auto& chunk : document.chunks) {
    if (auto* bones = std::get_if<Bones>(&chunk.body)) {
      const auto is_idle = [&](const Bone& bone) { return idle.contains(bone.node.object_id); };
      for (auto& bone : bones->items) {
        if (is_idle(bone)) {
          helpers.push_back({bone.node});
          helpers.back().node.flags &= ~node_flag::kBone;
        }
      }
      bones->items.erase(std::remove_if(bones->items.begin(), bones->items.end(), is_idle),
                         bones->items.end());
    }
  }
  if (document.find<Helpers>() == nullptr) {
    insert_chunk(document, FourCC{"HELP"}, Helpers{});
  }
  auto& list = document.find<Helpers>()->items;
  list.insert(list.begin(), helpers.begin(), helpers.end());
  bones_first(document);
  return rounded + helpers.size();
}

std::int32_t add_pivot(Document& document, const Vec3& pivot) {
  if (document.find<Pivots>() == nullptr) {
    insert_chunk(document, FourCC{"PIVT"}, Pivots{});
  }
  const auto nodes = nodes_by_id(document);
  const std::int32_t id = nodes.empty() ? 0 : std::max(nodes.rbegin()->first, -1) + 1;
  const auto at = static_cast<std::size_t>(id);
  auto& points = document.find<Pivots>()->points;
  points.resize(std::max(points.size(), at + 1), Vec3{});
  points[at] = pivot;
  if (auto* bind = document.find<BindPoses>(); bind != nullptr && at <= bind->poses.size()) {
    const BindPose pose = {1, 0, 0, 0, 1, 0, 0, 0, 1, pivot[0], pivot[1], pivot[2]};
    bind->poses.insert(bind->poses.begin() + id, pose);
  }
  return id;
}

}  // namespace thaw::mdx
