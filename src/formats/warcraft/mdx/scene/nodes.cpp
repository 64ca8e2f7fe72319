// The hierarchy: one scene node per object, parents before children (mdx.md#node-flags,
// warcraft3-rendering.md#nodes).
#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/scene/builder.hpp"

namespace thaw::mdx {
namespace {

using scene::Index;
using scene::kNone;
using scene::NodeKind;

struct Object {
  const Node* node = nullptr;
  NodeKind kind = NodeKind::helper;
  ObjectRef place;
  Index parent = kNone;  ///< index into the list of objects
};

class Hierarchy {
 public:
  explicit Hierarchy(SceneBuilder& builder) : builder_(builder) {}

  void build() {
    collect();
    map_ids();
    find_parents();
    cut_cycles();
    add_root();
    add_in_order();
    report_pivots();
  }

 private:
  void collect();
  void map_ids();
  void find_parents();
  void cut_cycles();
  void add_root();
  void add_in_order();
  void add(Index object, Index parent);
  void bind_transform(const Object& object, Index node);
  void report_pivots();

  template <class Body>
  void collect(FourCC chunk, NodeKind kind) {
    const auto items = builder_.document.all<Body>();
    for (std::size_t i = 0; i < items.size(); ++i) {
      objects_.push_back({&items[i]->node, kind, {chunk, i}, kNone});
    }
  }

  SceneBuilder& builder_;
  std::vector<Object> objects_;
  std::unordered_map<std::int32_t, Index> object_of_id_;
  std::size_t without_pivot_ = 0;
};

/// In the order in which usual files number them.
void Hierarchy::collect() {
  collect<Bones>(FourCC{"BONE"}, NodeKind::bone);
  collect<Lights>(FourCC{"LITE"}, NodeKind::light);
  collect<Helpers>(FourCC{"HELP"}, NodeKind::helper);
  collect<Attachments>(FourCC{"ATCH"}, NodeKind::attachment);
  collect<ParticleEmitters>(FourCC{"PREM"}, NodeKind::emitter);
  collect<ParticleEmitters2>(FourCC{"PRE2"}, NodeKind::emitter);
  collect<PopcornEmitters>(FourCC{"CORN"}, NodeKind::emitter);
  collect<RibbonEmitters>(FourCC{"RIBB"}, NodeKind::ribbon);
  collect<EventObjects>(FourCC{"EVTS"}, NodeKind::event);
  collect<CollisionShapes>(builder_.dialect.collision, NodeKind::collision);
  collect<SoundEmitters>(FourCC{"SNEM"}, NodeKind::emitter);
}

void Hierarchy::map_ids() {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const std::int32_t id = objects_[i].node->object_id;
    if (id < 0) {
      builder_.report(codes::kSceneNodeId, objects_[i].place,
                      "object id " + std::to_string(id) + " is negative; nothing can refer to the node");
    } else if (!object_of_id_.emplace(id, static_cast<Index>(i)).second) {
      builder_.report(codes::kSceneNodeId, objects_[i].place,
                      "object id " + std::to_string(id) + " is used twice; references use the first");
    }
  }
}

void Hierarchy::find_parents() {
  for (auto& object : objects_) {
    const std::int32_t parent = object.node->parent_id;
    if (parent == -1) {
      continue;
    }
    const auto found = object_of_id_.find(parent);
    if (found == object_of_id_.end()) {
      builder_.report(codes::kSceneNodeParent, object.place,
                      "parent " + std::to_string(parent) + " does not exist; the node becomes a root");
    } else {
      object.parent = found->second;
    }
  }
}

/// Walks up from every object; a walk that meets itself is cut where it does.
void Hierarchy::cut_cycles() {
  enum class State : std::uint8_t { unknown, on_walk, sound };
  std::vector<State> states(objects_.size(), State::unknown);
  std::vector<Index> walk;
  for (Index start = 0; start < objects_.size(); ++start) {
    walk.clear();
    Index at = start;
    while (at != kNone && states[at] == State::unknown) {
      states[at] = State::on_walk;
      walk.push_back(at);
      at = objects_[at].parent;
    }
    if (at != kNone && states[at] == State::on_walk) {
      builder_.report(codes::kSceneNodeParent, objects_[at].place,
                      "the node is its own ancestor; it becomes a root");
      objects_[at].parent = kNone;
    }
    for (const Index seen : walk) {
      states[seen] = State::sound;
    }
  }
}

void Hierarchy::add_root() {
  const auto* model = builder_.document.find<Model>();
  scene::Node root;
  root.kind = NodeKind::root;
  root.name = model == nullptr ? std::string() : to_utf8(model->name.view());
  builder_.scene.name = root.name;
  builder_.scene.source_format = builder_.dialect.name;
  builder_.scene.axes = builder_.dialect.axes;
  builder_.scene.nodes.reserve(objects_.size() + 1);
  builder_.scene.nodes.push_back(std::move(root));
  builder_.pivots.push_back(Vec3{});
}

/// Depth first, children in file order.
void Hierarchy::add_in_order() {
  std::vector<Index> first_child(objects_.size() + 1, kNone);  // the last entry holds the roots
  std::vector<Index> next_sibling(objects_.size(), kNone);
  for (std::size_t i = objects_.size(); i-- > 0;) {
    auto& head = first_child[objects_[i].parent == kNone ? objects_.size() : objects_[i].parent];
    next_sibling[i] = head;
    head = static_cast<Index>(i);
  }
  std::vector<std::pair<Index, Index>> open = {{first_child.back(), 0}};  // object, scene node of its parent
  while (!open.empty()) {
    const auto [object, parent] = open.back();
    open.pop_back();
    if (object == kNone) {
      continue;
    }
    open.emplace_back(next_sibling[object], parent);
    const auto node = static_cast<Index>(builder_.scene.nodes.size());
    add(object, parent);
    open.emplace_back(first_child[object], node);
  }
}

scene::Billboard billboard_of(std::uint32_t flags) {
  using scene::Billboard;
  // A full billboard wins over locks (warcraft3-rendering.md#nodes).
  if ((flags & node_flag::kBillboarded) != 0) {
    return Billboard::full;
  }
  if ((flags & node_flag::kBillboardedLockX) != 0) {
    return Billboard::lock_x;
  }
  if ((flags & node_flag::kBillboardedLockY) != 0) {
    return Billboard::lock_y;
  }
  return (flags & node_flag::kBillboardedLockZ) != 0 ? Billboard::lock_z : Billboard::none;
}

void apply_flags(scene::Node& node, std::uint32_t flags, bool swapped) {
  const auto scaling = swapped ? node_flag::kDontInheritRotation : node_flag::kDontInheritScaling;
  const auto rotation = swapped ? node_flag::kDontInheritScaling : node_flag::kDontInheritRotation;
  node.inherit_translation = (flags & node_flag::kDontInheritTranslation) == 0;
  node.inherit_scale = (flags & scaling) == 0;
  node.inherit_rotation = (flags & rotation) == 0;
  node.billboard = billboard_of(flags);
  node.camera_anchored = (flags & node_flag::kCameraAnchored) != 0;
}

const Vec3* pivot_of(const Document& document, std::int32_t id) {
  const auto* pivots = document.find<Pivots>();
  if (pivots == nullptr || id < 0 || static_cast<std::size_t>(id) >= pivots->points.size()) {
    return nullptr;
  }
  return &pivots->points[static_cast<std::size_t>(id)];
}

void Hierarchy::add(Index object, Index parent) {
  const Object& source = objects_[object];
  const auto index = static_cast<Index>(builder_.scene.nodes.size());
  const Vec3* stored = pivot_of(builder_.document, source.node->object_id);
  without_pivot_ += stored == nullptr ? 1 : 0;
  const Vec3 pivot = stored == nullptr ? Vec3{} : builder_.position(*stored);
  const Vec3& base = builder_.pivots[parent];
  scene::Node node;
  node.name = to_utf8(source.node->name.view());
  node.parent = parent;
  node.kind = source.kind;
  for (std::size_t i = 0; i < pivot.size(); ++i) {
    node.rest.translation[i] = to_float(double{pivot[i]} - double{base[i]});
  }
  apply_flags(node, source.node->flags, builder_.options.swap_inheritance_flags);
  node.extras.set("objectId", std::int64_t{source.node->object_id});
  node.extras.set("flags", source.node->flags);
  builder_.scene.nodes.push_back(std::move(node));
  builder_.pivots.push_back(pivot);
  builder_.node_of_object.emplace(source.node, index);
  if (source.node->object_id >= 0) {
    const auto owner = object_of_id_.find(source.node->object_id);
    if (owner != object_of_id_.end() && owner->second == object) {
      builder_.node_of_id.emplace(source.node->object_id, index);
    }
  }
  bind_transform(source, index);
}

void Hierarchy::bind_transform(const Object& object, Index node) {
  const Vec3& rest = builder_.scene.nodes[node].rest.translation;
  Binding binding;
  binding.target = {scene::Target::Kind::node, node, 0};
  binding.property = scene::Property::translation;
  binding.use.conversion = Conversion::translation;
  binding.use.factor = builder_.scale();
  binding.use.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, 0};
  binding.use.offset = binding.use.rest;
  builder_.bind(object.node->tracks, FourCC{"KGTR"}, object.place, binding);

  binding.property = scene::Property::rotation;
  binding.use = {};
  binding.use.conversion = Conversion::rotation;
  binding.use.rest = {0, 0, 0, 1};
  builder_.bind(object.node->tracks, FourCC{"KGRT"}, object.place, binding);

  binding.property = scene::Property::scale;
  binding.use = {};
  binding.use.conversion = Conversion::scaling;
  binding.use.rest = {1, 1, 1, 0};
  builder_.bind(object.node->tracks, FourCC{"KGSC"}, object.place, binding);
}

void Hierarchy::report_pivots() {
  if (without_pivot_ > 0) {
    builder_.report(codes::kSceneReference, FourCC{"PIVT"},
                    counted(without_pivot_, "node") + " without a pivot point; the origin is used");
  }
}

}  // namespace

void build_nodes(SceneBuilder& builder) { Hierarchy(builder).build(); }

}  // namespace thaw::mdx
