// Roles of the nodes of a scene in a building: by what write_gltf exported, by what artists type, by name.
#include "formats/wow/wmo/from_scene/wmo_builder.hpp"

#include "bytes/text.hpp"
#include "scene/roles.hpp"

namespace thaw::wmo {
namespace {

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && ascii::same(name.substr(name.size() - end.size()), end);
}

bool is_on(const Value& value) { return value == Value(true) || value.number().value_or(0) != 0; }

std::optional<Role> role_of(const WmoBuilder& builder, Index index) {
  const scene::Node& node = builder.scene.nodes[index];
  const Value& extras = builder.wmo_extras(index);
  if (!extras["liquid"].text().empty() || !node.properties["wmo_liquid"].text().empty() ||
      ascii::begins_with(node.name, "liquid")) {
    return Role::liquid;
  }
  if (extras["portal"].integer() || is_on(node.properties["wmo_portal"]) ||
      (ascii::begins_with(node.name, "portal") && !ascii::same(node.name, "portals"))) {
    return Role::portal;
  }
  if (extras["bspNodes"].integer() || node.kind == scene::NodeKind::collision ||
      ascii::begins_with(node.name, "collision") || ends_with(node.name, " collision") ||
      ends_with(node.name, "_collision")) {
    return Role::collision;
  }
  return extras["group"].integer() || is_on(node.properties["wmo_group"]) ? std::optional(Role::drawn)
                                                                          : std::nullopt;
}

/// Where glTF has the models of several doodads in one node, in addition to these.
bool has_instances(const scene::Node& node) { return node.source.placed; }

}  // namespace

void find_roles(WmoBuilder& builder) {
  const auto& nodes = builder.scene.nodes;
  const auto levels = scene::levels_of_detail(builder.scene);
  builder.roles.assign(nodes.size(), Role::drawn);
  builder.in_doodad.assign(nodes.size(), false);
  builder.group_of_node.assign(nodes.size(), kNone);
  for (Index i = 0; i < nodes.size(); ++i) {
    const Index parent = nodes[i].parent;
    if (parent < i) {  // parents stand before their children
      builder.roles[i] = builder.roles[parent];
      builder.group_of_node[i] = builder.group_of_node[parent];
      builder.in_doodad[i] =
          builder.in_doodad[parent] || is_doodad(builder, parent) || has_instances(nodes[parent]);
    }
    const auto role = role_of(builder, i);
    builder.roles[i] =
        builder.in_doodad[i] || levels[i].level > 0 ? Role::none : role.value_or(builder.roles[i]);
    if (role == Role::drawn) {
      builder.group_of_node[i] = i;
    }
    builder.came_back = builder.came_back || builder.wmo_extras(i)["group"].integer().has_value();
  }
}

}  // namespace thaw::wmo
