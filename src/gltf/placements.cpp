// Models that stand in a scene: their meshes, materials and pictures once, a tree of nodes for each place, or
// a node for all places below one node.
#include <thaw/codes.hpp>

#include "gltf/export.hpp"
#include "gltf/extras_description.hpp"

#include <algorithm>

namespace thaw::gltf {
namespace {

/// Models that hold each other end here.
constexpr unsigned kMaxDepth = 8;
/// Of one placed node, in steps of the budget.
constexpr std::uint64_t kNodeCost = 64;

/// The model as it looks when nothing moves: without bones, clips and whatever else is not seen.
scene::Scene still(const scene::Scene& model, Diagnostics& diagnostics) {
  const Channels channels(model, diagnostics);
  scene::Scene result;
  result.name = model.name;
  result.nodes = model.nodes;
  result.textures = model.textures;
  result.images = model.images;
  result.materials = model.materials;
  result.uv_animations = model.uv_animations;
  result.models = model.models;
  result.placements = model.placements;
  for (Index material = 0; material < model.materials.size(); ++material) {
    auto& layers = result.materials[material].layers;
    for (Index layer = 0; layer < layers.size(); ++layer) {
      layers[layer].alpha = channels.typical_alpha({Target::Kind::layer, material, layer},
                                                   Property::layer_alpha, layers[layer].alpha);
    }
  }
  for (Index i = 0; i < model.meshes.size(); ++i) {
    const Target target{Target::Kind::mesh, i, 0};
    scene::Mesh mesh = model.meshes[i];
    mesh.color = channels.initial(target, Property::mesh_color, mesh.color);
    mesh.alpha = channels.initial(target, Property::mesh_alpha, mesh.alpha);
    // Vertices of skinned meshes are in the scene's space, wherever their node is.
    mesh.node = mesh.skin < model.skins.size() ? kNone : mesh.node;
    mesh.skin = kNone;
    mesh.influences = 0;
    mesh.joints.clear();
    mesh.weights.clear();
    mesh.morph_targets.clear();
    result.meshes.push_back(std::move(mesh));
  }
  return result;
}

void shift(Index& index, std::size_t by) {
  if (index != kNone) {
    index += static_cast<Index>(by);
  }
}

void shift(Attributes& attributes, std::size_t by) {
  for (auto& attribute : attributes) {
    shift(attribute.second, by);
  }
}

/// Numbers of a material and its layers are those of its own model, which the file does not keep.
void forget_numbers(Material& material) {
  Value extras;
  for (const auto& [key, value] : material.extras.object()) {
    if (key != "material" && key != "blend" && key != "layers" && key != "surface") {
      extras.set(key, value);
    }
  }
  material.extras = std::move(extras);
}

/// Puts everything that nodes can refer to after what `out` has; `part.nodes` then refer to it there.
class Splice {
 public:
  Splice(Asset& out, Asset& part, std::size_t first_view) : out_(out), part_(part), first_view_(first_view) {}

  void run() {
    for (auto& accessor : part_.accessors) {
      shift(accessor.view, first_view_);
    }
    for (auto& image : part_.images) {
      shift(image.view, first_view_);
    }
    for (auto& texture : part_.textures) {
      shift(texture.sampler, out_.samplers.size());
      shift(texture.image, out_.images.size());
    }
    for (auto& material : part_.materials) {
      forget_numbers(material);
      for (auto* info : {&material.base_color_texture, &material.metallic_roughness_texture,
                         &material.occlusion_texture, &material.normal_texture, &material.emissive_texture}) {
        shift(info->texture, out_.textures.size());
      }
    }
    for (auto& mesh : part_.meshes) {
      for (auto& primitive : mesh.primitives) {
        shift(primitive.attributes, out_.accessors.size());
        shift(primitive.indices, out_.accessors.size());
        shift(primitive.material, out_.materials.size());
      }
    }
    for (auto& node : part_.nodes) {
      shift(node.mesh, out_.meshes.size());
      shift(node.instances, out_.accessors.size());
    }
    move(&Asset::accessors);
    move(&Asset::images);
    move(&Asset::samplers);
    move(&Asset::textures);
    move(&Asset::materials);
    move(&Asset::meshes);
  }

 private:
  template <class T>
  void move(std::vector<T> Asset::* list) {
    auto& from = part_.*list;
    (out_.*list)
        .insert((out_.*list).end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    from.clear();
  }

  Asset& out_;
  Asset& part_;
  std::size_t first_view_;
};

/// The nodes of a model that have something to show, below one top node.
struct Stencil {
  std::vector<Node> nodes;  ///< the first is the top; children come after their parents
};

/// Which nodes show something themselves or below. Without recursion: bones can be nested deeply.
std::vector<bool> shows_something(const std::vector<Node>& nodes, const std::vector<Index>& roots) {
  std::vector<Index> order = roots;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const auto& children = nodes[order[at]].children;
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<bool> result(nodes.size());
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const Node& node = nodes[*at];
    result[*at] =
        (node.mesh != kNone && node.scale != Vec3{0, 0, 0}) ||
        std::any_of(node.children.begin(), node.children.end(), [&](Index child) { return result[child]; });
  }
  return result;
}

Node plain_copy(const Node& source) {
  Node node;
  node.name = source.name;
  node.translation = source.translation;
  node.rotation = source.rotation;
  node.scale = source.scale;
  node.mesh = source.scale != Vec3{0, 0, 0} ? source.mesh : kNone;
  node.instances = source.instances;
  return node;
}

Stencil make_stencil(const std::vector<Node>& nodes, const std::vector<Index>& roots) {
  const auto shown = shows_something(nodes, roots);
  Stencil stencil;
  stencil.nodes.emplace_back();
  std::vector<std::pair<Index, Index>> open;  // node, and its parent in the stencil
  const auto add = [&](const std::vector<Index>& children, Index parent) {
    for (const Index child : children) {
      if (shown[child]) {
        open.emplace_back(child, parent);
      }
    }
  };
  add(roots, 0);
  for (std::size_t at = 0; at < open.size(); ++at) {
    const auto [node, parent] = open[at];
    const auto place = static_cast<Index>(stencil.nodes.size());
    stencil.nodes.push_back(plain_copy(nodes[node]));
    stencil.nodes[parent].children.push_back(place);
    add(nodes[node].children, place);
  }
  return stencil;
}

void add_level(Export& out, unsigned depth);

/// Adds the model's content to the document.
Stencil add_model(Export& out, const scene::Scene& model, unsigned depth) {
  scene::Scene reduced = still(model, out.diagnostics);
  Export part(reduced, out.options, out.diagnostics);
  part.pictures.share_files(out.pictures);
  add_nodes(part);
  add_skins(part);
  add_meshes(part);
  add_level(part, depth + 1);
  part.pictures.encode(&reduced);
  const Index first_view = out.buffer.append(std::move(part.buffer));
  Splice(out.document, part.document, first_view).run();
  return make_stencil(part.document.nodes, part.document.roots);
}

void place(Export& out, const Stencil& stencil, Index parent) {
  if (stencil.nodes.size() < 2) {
    return;
  }
  // The top stands for the scene's node itself.
  const auto first = out.document.nodes.size() - 1;
  for (std::size_t i = 1; i < stencil.nodes.size(); ++i) {
    Node node = stencil.nodes[i];
    for (Index& child : node.children) {
      shift(child, first);
    }
    node.name = out.node_names.add(std::move(node.name), "node");
    out.document.nodes.push_back(std::move(node));
  }
  for (Index child : stencil.nodes.front().children) {
    shift(child, first);
    out.document.nodes[parent].children.push_back(child);
  }
}

// --- instances
// -------------------------------------------------------------------------------------------------

scene::Transform transform_of(const Node& node) { return {node.translation, node.rotation, node.scale}; }

/// What instances have: a transform without shear.
std::optional<scene::Transform> as_transform(const scene::Mat4d& matrix) {
  constexpr double kTolerance = 1e-5;
  const scene::Transform result = scene::decompose(matrix);
  const scene::Mat4d again = scene::compose(result);
  double most = 0;
  double off = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    most = std::max(most, std::fabs(matrix[i]));
    off = std::max(off, std::fabs(matrix[i] - again[i]));
  }
  return off <= kTolerance * most ? std::optional(result) : std::nullopt;
}

/// The transforms of a mesh of the model for each of the nodes where the model stands.
using Instances = std::vector<scene::Transform>;

/// By node of the stencil, empty where it has no mesh; nothing where a transform is no instance's.
std::optional<std::vector<Instances>> instances_of(const Export& out, const Stencil& stencil,
                                                   const std::vector<Index>& placed) {
  std::vector<Instances> result(stencil.nodes.size());
  std::vector<scene::Mat4d> below(stencil.nodes.size(), scene::kIdentity);
  for (std::size_t i = 0; i < stencil.nodes.size(); ++i) {
    const Node& node = stencil.nodes[i];
    if (!node.instances.empty()) {
      return std::nullopt;
    }
    for (const Index child : node.children) {
      below[child] = scene::multiply(below[i], scene::compose(transform_of(stencil.nodes[child])));
    }
    for (std::size_t at = 0; node.mesh != kNone && at < placed.size(); ++at) {
      const Node& top = out.document.nodes[placed[at]];
      const auto transform = as_transform(scene::multiply(scene::compose(transform_of(top)), below[i]));
      if (!transform) {
        return std::nullopt;
      }
      result[i].push_back(*transform);
    }
  }
  return result;
}

Attributes attributes_of(Export& out, const Instances& instances) {
  std::vector<float> translations;
  std::vector<float> rotations;
  std::vector<float> scales;
  for (const scene::Transform& instance : instances) {
    translations.insert(translations.end(), instance.translation.begin(), instance.translation.end());
    rotations.insert(rotations.end(), instance.rotation.begin(), instance.rotation.end());
    scales.insert(scales.end(), instance.scale.begin(), instance.scale.end());
  }
  return {{"TRANSLATION", out.buffer.add_values(translations, 3, false)},
          {"ROTATION", out.buffer.add_rotations(rotations)},
          {"SCALE", out.buffer.add_values(scales, 3, false)}};
}

/// False, and nothing added, where the model has to stand in nodes.
bool add_instances(Export& out, const Stencil& stencil, const std::string& model,
                   const std::vector<Index>& placed, Index parent) {
  const auto instances = instances_of(out, stencil, placed);
  if (!instances || !out.budget.spend(placed.size() * kNodeCost)) {
    return false;
  }
  for (std::size_t i = 0; i < instances->size(); ++i) {
    if ((*instances)[i].empty()) {
      continue;
    }
    const Index at = out.add_node((model.empty() ? "model" : model) + " instances", parent);
    Node& node = out.document.nodes[at];
    node.mesh = stencil.nodes[i].mesh;
    node.instances = attributes_of(out, (*instances)[i]);
    node.extras.set("placed", true);
  }
  return true;
}

/// Nodes that one model stands in, by the node above them and the model.
using Groups = std::map<std::pair<Index, Index>, std::vector<Index>>;

std::pair<Index, Index> group_of(const Export& out, const scene::Placement& placement) {
  return {out.scene.nodes[placement.node].parent, placement.model};
}

bool stands_still(const Export& out, Index node) {
  return out.scene.nodes[node].parent < node && out.levels[node].owner == kNone &&
         out.switches[node] == kNone &&
         std::none_of(
             kMoves.begin(), kMoves.end(),
             [&](const auto& move) { return out.channels.any({Target::Kind::node, node, 0}, move.second); });
}

/// Those of several nodes, all of which stand still; none without GltfOptions::instances.
Groups instanced(const Export& out) {
  Groups groups;
  for (const auto& placement : out.scene.placements) {
    if (out.options.instances && placement.node < out.scene.nodes.size()) {
      groups[group_of(out, placement)].push_back(placement.node);
    }
  }
  std::erase_if(groups, [&](const auto& group) {
    return group.second.size() < 2 ||
           !std::all_of(
               group.second.begin(), group.second.end(), [&](Index node) { return stands_still(out, node); });
  });
  return groups;
}

void add_level(Export& out, unsigned depth) {
  std::map<Index, Stencil> stencils;
  Groups groups = instanced(out);
  for (const auto& placement : out.scene.placements) {
    if (placement.node >= out.scene.nodes.size() || placement.model >= out.scene.models.size() ||
        out.scene.models[placement.model] == nullptr || depth > kMaxDepth) {
      out.diagnostics.add(codes::kSceneReference,
                          depth > kMaxDepth ? "placement left out: models are nested deeper than " +
                                                  std::to_string(kMaxDepth) + " levels"
                                            : "placement left out: its model or node does not exist");
      continue;
    }
    auto found = stencils.find(placement.model);
    if (found == stencils.end()) {
      found =
          stencils.emplace(placement.model, add_model(out, *out.scene.models[placement.model], depth)).first;
    }
    if (const auto group = groups.find(group_of(out, placement)); group != groups.end()) {
      // An empty group has its instances.
      if (group->second.empty() || add_instances(out, found->second, out.scene.models[placement.model]->name,
                                                 group->second, group->first.first)) {
        group->second.clear();
        continue;
      }
      groups.erase(group);
    }
    if (!out.budget.spend(found->second.nodes.size() * kNodeCost)) {
      break;
    }
    place(out, found->second, placement.node);
  }
}

}  // namespace

void add_placements(Export& out) {
  add_level(out, 0);
  const auto& nodes = out.document.nodes;
  if (out.options.instances &&
      std::all_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.instances.empty(); })) {
    out.diagnostics.add(codes::kOptionEffect,
                        "--instances: no model stands still at several places below one node");
  }
}

}  // namespace thaw::gltf
