// Objects of the model: from which nodes, of which kind, and with which numbers.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "scene/pose.hpp"

#include <algorithm>
#include <set>

namespace thaw::mdx {
namespace {

using scene::NodeKind;

class ObjectChooser {
 public:
  explicit ObjectChooser(ModelBuilder& builder)
      : builder_(builder),
        nodes_(builder.scene.nodes),
        joint_(nodes_.size()),
        carries_(nodes_.size()),
        carrier_(nodes_.size()),
        switched_(nodes_.size()) {
    builder.object_of_node.assign(nodes_.size(), kNone);
    builder.object_above.assign(nodes_.size(), kNone);
  }

  void choose() {
    find_uses();
    find_carriers();
    for (Index i = 0; i < nodes_.size(); ++i) {
      choose(i);
    }
    spread_scales(builder_);
    number();
  }

 private:
  void find_uses();
  void find_carriers();
  void choose(Index node);
  void choose_object(Index node);
  void number();
  [[nodiscard]] bool moves(Index node) const;
  [[nodiscard]] bool is_switch(Index node) const;
  [[nodiscard]] bool is_exporter_node(Index node) const;
  [[nodiscard]] std::optional<std::int64_t> stated_id(const SceneObject& object) const;
  template <class T>
  void take(const std::vector<T>& list, ObjectKind kind) {
    for (Index i = 0; i < list.size(); ++i) {
      if (list[i].node < nodes_.size()) {
        items_[list[i].node].push_back({kind, list[i].node, i});
      }
    }
  }

  ModelBuilder& builder_;
  const std::vector<scene::Node>& nodes_;
  std::vector<bool> joint_;     ///< a vertex follows it
  std::vector<bool> carries_;   ///< a mesh without a skin hangs at it
  std::vector<bool> carrier_;   ///< exporters made it for a mesh, a light or a camera
  std::vector<bool> switched_;  ///< a switch stands above it, and no object between
  std::map<Index, std::vector<SceneObject>> items_;
};

void ObjectChooser::find_uses() {
  for (const auto& mesh : builder_.scene.meshes) {
    const scene::Skin* skin = scene::sound_skin(builder_.scene, mesh);
    if (skin == nullptr) {
      if (mesh.node < carries_.size()) {
        carries_[mesh.node] = true;
      }
      continue;
    }
    for (std::size_t i = 0; i < mesh.joints.size(); ++i) {
      if (mesh.weights[i] > 0) {
        joint_[skin->joints[mesh.joints[i]]] = true;
      }
    }
  }
  const auto& scene = builder_.scene;
  take(scene.lights, ObjectKind::light);
  take(scene.attachments, ObjectKind::attachment);
  for (Index i = 0; i < scene.emitters.size(); ++i) {
    const auto& emitter = scene.emitters[i];
    const ObjectKind kind = emitter.kind == scene::Emitter::Kind::models    ? ObjectKind::model_emitter
                            : emitter.kind == scene::Emitter::Kind::sprites ? ObjectKind::sprite_emitter
                                                                            : ObjectKind::effect;
    if (emitter.node < nodes_.size()) {
      items_[emitter.node].push_back({kind, emitter.node, i});
    }
  }
  take(scene.ribbons, ObjectKind::ribbon);
  take(scene.events, ObjectKind::event);
  take(scene.collision_shapes, ObjectKind::collision);
}

/// Programs put meshes, lights and cameras into nodes of their own, and others above those, which turn them.
void ObjectChooser::find_carriers() {
  for (auto node = static_cast<Index>(nodes_.size()); node-- > 0;) {
    const NodeKind kind = nodes_[node].kind;
    const bool is_new = !nodes_[node].source.stated;
    carrier_[node] = is_new && (carrier_[node] || kind == NodeKind::mesh || kind == NodeKind::light ||
                                kind == NodeKind::camera);
    if (carrier_[node] && nodes_[node].parent < node) {
      carrier_[nodes_[node].parent] = true;
    }
  }
}

bool ObjectChooser::moves(Index node) const {
  for (const Property property : {Property::translation, Property::rotation, Property::scale}) {
    if (builder_.channels.find({Target::Kind::node, node, 0, property}) != builder_.channels.end()) {
      return true;
    }
  }
  // One that rests elsewhere than its vertices were bound has keys, too.
  double most = 0;
  for (std::size_t i = 0; i < builder_.reference[node].size(); ++i) {
    most = std::max(most, std::abs(builder_.reference[node].at(i) - builder_.rest_world[node].at(i)));
  }
  const Index parent = nodes_[node].parent;
  if (switched_[node]) {
    return false;  // switched off it is as small as its switch
  }
  return most > 1e-4 && (parent >= node || builder_.object_of_node[parent] == kNone);
}

bool ObjectChooser::is_switch(Index node) const { return nodes_[node].source.switches_parent; }

/// Nodes that stand for no object of a model that was written: levels of detail, switches, nodes of the
/// exporter.
bool ObjectChooser::is_exporter_node(Index node) const {
  if (is_switch(node)) {
    return true;
  }
  if (ModelBuilder::mdx_extras(builder_.scene).is_null()) {
    return false;
  }
  return nodes_[node].source.stated ? ModelBuilder::mdx_extras(nodes_[node]).find("objectId") == nullptr
                                    : carrier_[node];
}

/// Parents stand before their children: what is known of one holds for those below it.
void ObjectChooser::choose(Index node) {
  const Index parent = nodes_[node].parent;
  if (parent < node) {
    builder_.object_above[node] = builder_.object_above[parent];
    switched_[node] = builder_.object_of_node[parent] == kNone && (switched_[parent] || is_switch(parent));
  }
  choose_object(node);
  if (builder_.object_of_node[node] != kNone) {
    builder_.object_above[node] = builder_.object_of_node[node];
  }
}

void ObjectChooser::choose_object(Index node) {
  const NodeKind kind = nodes_[node].kind;
  const auto items = items_.find(node);
  const bool seen = kind == NodeKind::camera || kind == NodeKind::target;
  const bool plain = kind == NodeKind::root || kind == NodeKind::mesh || seen || is_exporter_node(node) ||
                     (nodes_[node].parent == kNone && !nodes_[node].lods.empty());
  const bool needed = items != items_.end() || joint_[node] || (moves(node) && !seen && !is_switch(node));
  if (!needed && plain) {
    return;
  }
  const bool moves_vertices = joint_[node] || carries_[node];
  const bool known = ModelBuilder::mdx_extras(nodes_[node]).find("objectId") != nullptr;
  SceneObject object{ObjectKind::helper, node, kNone};
  std::size_t first_item = 0;
  if (items != items_.end() && (known || !moves_vertices)) {
    object = items->second.front();
    first_item = 1;
  } else if (kind == NodeKind::bone || (moves_vertices && !known)) {
    object.kind = ObjectKind::bone;
  }
  builder_.object_of_node[node] = static_cast<Index>(builder_.objects.size());
  builder_.objects.push_back(object);
  if (items != items_.end()) {
    for (std::size_t i = first_item; i < items->second.size(); ++i) {
      SceneObject further = items->second[i];
      further.has_node_keys = false;
      builder_.objects.push_back(further);
    }
  }
}

std::optional<std::int64_t> ObjectChooser::stated_id(const SceneObject& object) const {
  return object.has_node_keys ? ModelBuilder::mdx_extras(nodes_[object.node])["objectId"].integer()
                              : std::nullopt;
}

/// As they were where all still have their numbers, else bones first and one after the other.
void ObjectChooser::number() {
  // Meshes that hang at something that is no bone want one there; those that hang nowhere get one later.
  for (const auto& mesh : builder_.scene.meshes) {
    if (scene::sound_skin(builder_.scene, mesh) == nullptr) {
      const Index at = builder_.carrier(mesh.node);
      if (at != kNone && builder_.objects[at].kind == ObjectKind::helper) {
        builder_.objects[at].kind = ObjectKind::bone;
      }
    }
  }
  auto& objects = builder_.objects;
  std::set<std::int64_t> ids;
  for (const auto& object : objects) {
    if (const auto id = stated_id(object); id && *id >= 0 && *id < std::int64_t(objects.size())) {
      ids.insert(*id);
    }
  }
  if (ids.size() == objects.size()) {
    for (auto& object : objects) {
      object.id = static_cast<std::int32_t>(*stated_id(object));
    }
    return;
  }
  std::vector<Index> order(objects.size());
  for (Index i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  const auto rank = [&](Index i) {
    return std::tuple(objects[i].kind, stated_id(objects[i]).value_or(1 << 30),
                      objects[i].item == kNone ? i : objects[i].item);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return rank(a) < rank(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    objects[order[i]].id = static_cast<std::int32_t>(i);
  }
}

}  // namespace

void choose_objects(ModelBuilder& builder) { ObjectChooser(builder).choose(); }

}  // namespace thaw::mdx
