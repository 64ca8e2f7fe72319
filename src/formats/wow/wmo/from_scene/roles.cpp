// What the nodes of a scene are in a building: by what write_gltf kept, by what artists type, by name.
#include "formats/wow/wmo/from_scene/maker.hpp"

#include "bytes/ascii.hpp"
#include "scene/roles.hpp"

namespace thaw::wmo {
namespace {

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && ascii::same(name.substr(name.size() - end.size()), end);
}

bool is_on(const Value& value) { return value == Value(true) || value.number().value_or(0) != 0; }

std::optional<Role> role_of(const BuildingMaker& maker, Index index) {
  const scene::Node& node = maker.scene.nodes[index];
  const Value& own = maker.own(index);
  if (!own["liquid"].text().empty() || !node.extras["wmo_liquid"].text().empty() ||
      ascii::begins_with(node.name, "liquid")) {
    return Role::liquid;
  }
  if (own["portal"].integer() || is_on(node.extras["wmo_portal"]) ||
      (ascii::begins_with(node.name, "portal") && !ascii::same(node.name, "portals"))) {
    return Role::portal;
  }
  if (own["bspNodes"].integer() || node.kind == scene::NodeKind::collision ||
      ascii::begins_with(node.name, "collision") || ends_with(node.name, " collision") ||
      ends_with(node.name, "_collision")) {
    return Role::collision;
  }
  return own["group"].integer() || is_on(node.extras["wmo_group"]) ? std::optional(Role::drawn)
                                                                   : std::nullopt;
}

/// Where glTF has the models of several doodads in one node, beside these.
bool has_instances(const scene::Node& node) { return node.extras["thaw"]["placed"] == Value(true); }

}  // namespace

void find_roles(BuildingMaker& maker) {
  const auto& nodes = maker.scene.nodes;
  const auto levels = scene::levels_of_detail(maker.scene);
  maker.roles.assign(nodes.size(), Role::drawn);
  maker.in_doodad.assign(nodes.size(), false);
  maker.group_of_node.assign(nodes.size(), kNone);
  for (Index i = 0; i < nodes.size(); ++i) {
    const Index parent = nodes[i].parent;
    if (parent < i) {  // parents stand before their children
      maker.roles[i] = maker.roles[parent];
      maker.group_of_node[i] = maker.group_of_node[parent];
      maker.in_doodad[i] =
          maker.in_doodad[parent] || is_doodad(maker, parent) || has_instances(nodes[parent]);
    }
    const auto role = role_of(maker, i);
    maker.roles[i] = maker.in_doodad[i] || levels[i].level > 0 ? Role::none : role.value_or(maker.roles[i]);
    if (role == Role::drawn) {
      maker.group_of_node[i] = i;
    }
    maker.came_back = maker.came_back || maker.own(i)["group"].integer().has_value();
  }
}

}  // namespace thaw::wmo
