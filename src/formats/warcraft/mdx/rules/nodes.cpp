// What all objects of the hierarchy have: ids, parents, names, flags, pivots, bind poses.
#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx::rules {
namespace {

std::string quoted(const NodeItem& node) { return say("\"", node.node->name.view(), "\""); }

void id_gap(const Model& model, Report& report) {
  for (const auto& item : model.nodes) {
    if (item.node->object_id >= 0 && static_cast<std::size_t>(item.node->object_id) >= model.nodes.size()) {
      report.add(item.path + ".objectId",
                 say(quoted(item), " has the object id ", item.node->object_id, ", but the last id for ",
                     counted_noun(model.nodes.size(), "object"), " is ", model.nodes.size() - 1));
      return;
    }
  }
}

/// Nodes that lie on a cycle of two or more.
void parent_cycle(const Model& model, Report& report) {
  enum class State : std::uint8_t { fresh, open, done };
  std::vector<State> states(model.nodes.size(), State::fresh);
  const auto parent_of = [&](std::size_t index) -> std::optional<std::size_t> {
    const auto& node = *model.nodes[index].node;
    const NodeItem* parent = node.parent_id >= 0 ? model.node_by_id(node.parent_id) : nullptr;
    return parent == nullptr ? std::nullopt
                             : std::optional(static_cast<std::size_t>(parent - model.nodes.data()));
  };
  std::vector<std::size_t> trail;
  for (std::size_t start = 0; start < states.size(); ++start) {
    trail.clear();
    std::optional<std::size_t> at_node = start;
    while (at_node && states[*at_node] == State::fresh) {
      states[*at_node] = State::open;
      trail.push_back(*at_node);
      at_node = parent_of(*at_node);
    }
    if (at_node && states[*at_node] == State::open && parent_of(*at_node) != at_node) {
      report.add(model.nodes[*at_node].path + ".parentId",
                 say("the parents of ", quoted(model.nodes[*at_node]), " lead back to it"));
    }
    for (const auto index : trail) {
      states[index] = State::done;
    }
  }
}

void parent_after_child(const Model& model, Report& report) {
  std::size_t late = 0;
  const NodeItem* first = nullptr;
  for (const auto& item : model.nodes) {
    const NodeItem* parent = item.node->parent_id >= 0 ? model.node_by_id(item.node->parent_id) : nullptr;
    if (parent != nullptr && parent > &item) {
      first = late++ == 0 ? &item : first;
    }
  }
  if (first != nullptr) {
    report.add(first->path + ".parentId", say(counted_noun(late, "object"),
                                              late == 1 ? " comes before its parent: "
                                                        : " come before their parents, the first of them ",
                                              quoted(*first)));
  }
}

void node_name_duplicate(const Model& model, Report& report) {
  std::map<std::string_view, const NodeItem*> seen;
  for (const auto& item : model.nodes) {
    const auto [other, is_new] = seen.emplace(item.node->name.view(), &item);
    if (!is_new && !item.node->name.view().empty()) {
      report.add(item.path + ".name", say(quoted(item), " is also the name of ", other->second->path));
    }
  }
}

std::uint32_t type_bits(NodeKind kind) {
  switch (kind) {
    case NodeKind::bone:
      return node_flag::kBone;
    case NodeKind::light:
      return node_flag::kLight;
    case NodeKind::attachment:
      return node_flag::kAttachment;
    case NodeKind::event:
      return node_flag::kEvent;
    case NodeKind::collision:
      return node_flag::kCollision;
    case NodeKind::ribbon:
      return node_flag::kRibbon;
    case NodeKind::helper:
      return 0;
    default:
      return node_flag::kEmitter;
  }
}

void pivot_count(const Model& model, Report& report) {
  const std::size_t count = model.pivots == nullptr ? 0 : model.pivots->points.size();
  if (count != model.nodes.size()) {
    report.add(model.pivots == nullptr ? "" : "PIVT",
               say(counted_noun(count, "pivot"), " for ", counted_noun(model.nodes.size(), "object")));
  }
}

void pivot_not_finite(const Model& model, Report& report) {
  for (std::size_t i = 0; model.pivots != nullptr && i < model.pivots->points.size(); ++i) {
    if (!all_finite(model.pivots->points[i])) {
      report.add(at("PIVT.points", i), "a coordinate of the pivot is NaN or infinite");
    }
  }
}

void bind_pose_singular(const Model& model, Report& report) {
  constexpr float kSmallest = 1e-6F;
  for (std::size_t i = 0; model.bind_poses != nullptr && i < model.bind_poses->poses.size(); ++i) {
    const BindPose& p = model.bind_poses->poses[i];
    const float determinant = p[0] * (p[4] * p[8] - p[5] * p[7]) - p[1] * (p[3] * p[8] - p[5] * p[6]) +
                              p[2] * (p[3] * p[7] - p[4] * p[6]);
    if (!all_finite(p) || !(std::abs(determinant) > kSmallest)) {
      report.add(at("BPOS.poses", i), all_finite(p) ? "the axes of the bind pose are zero or lie in one plane"
                                                    : "a value of the bind pose is NaN or infinite");
    }
  }
}

constexpr std::array kNodeRules = {
    ModelRule("mdx.node-id-negative", always(kError), "negative object id",
              "Object ids count from 0; pivots and parents refer to them. Renumber the objects.",
              each<&Model::nodes, "objectId">([](const NodeItem& item) {
                return item.node->object_id < 0
                           ? say(quoted(item), " has the negative object id ", item.node->object_id)
                           : "";
              })),
    ModelRule("mdx.node-id-duplicate", always(kError), "duplicate object id",
              "References from parents and vertices are ambiguous. Renumber the objects.",
              each<&Model::nodes, "objectId">([](const NodeItem& item, const Model& model) {
                const NodeItem* first = model.node_by_id(item.node->object_id);
                return first != nullptr && first != &item ? say(quoted(item), " and ", quoted(*first),
                                                                " share the object id ", item.node->object_id)
                                                          : "";
              })),
    ModelRule("mdx.node-id-gap", always(kError), "object ids not 0, 1, 2 …",
              "The game uses the ids as indices into a list with one entry per object. Renumber the objects.",
              id_gap),
    ModelRule("mdx.node-parent-missing", always(kError), "parent of an object does not exist",
              "Use -1 for none.", kFixable,
              each<&Model::nodes, "parentId">([](const NodeItem& item, const Model& model) {
                const auto parent = item.node->parent_id;
                return parent != -1 && (parent < 0 || model.node_by_id(parent) == nullptr)
                           ? say("the parent of ", quoted(item), ", ", parent, ", does not exist")
                           : "";
              })),
    ModelRule("mdx.node-parent-self", always(kError), "object is its own parent", "Use -1 for none.",
              kFixable, each<&Model::nodes, "parentId">([](const NodeItem& item) {
                return item.node->parent_id >= 0 && item.node->parent_id == item.node->object_id
                           ? say(quoted(item), " is its own parent")
                           : "";
              })),
    ModelRule("mdx.node-parent-cycle", always(kError), "cycle of parents",
              "The game hangs. Make one of them a root.", parent_cycle),
    ModelRule("mdx.node-parent-order", {kInfo, kOff, kInfo}, "objects before their parents",
              "Allowed and common; some tools expect parents first.", parent_after_child),
    ModelRule("mdx.node-name-empty", {kInfo, kInfo, kWarning}, "object without a name",
              "Editors and MDL readers may not accept it. Give it a name.", kFixable,
              each<&Model::nodes, "name">([](const NodeItem& item) {
                return item.node->name.view().empty() ? "the object has no name" : "";
              })),
    ModelRule("mdx.node-name-duplicate", {kInfo, kOff, kInfo}, "duplicate object name",
              "MDL and most editors accept it; scripts that search attachment points find the first.",
              node_name_duplicate),
    ModelRule("mdx.node-type-flags", {kInfo, kOff, kInfo}, "flags do not match the object's type",
              "The game goes by the chunk, some tools by the flags. Set the flags of the object's type.",
              each<&Model::nodes, "flags">([](const NodeItem& item) {
                constexpr std::uint32_t kTypes = 0x7F00;
                const std::uint32_t type_flags = item.node->flags & kTypes;
                return type_flags != type_bits(item.kind) && item.kind != NodeKind::sound
                           ? say(quoted(item), " has the type flags ", type_flags, " instead of ",
                                 type_bits(item.kind))
                           : "";
              })),
    ModelRule("mdx.node-flags", {kInfo, kOff, kInfo}, "unknown object flags",
              "Bits above 0x100000 have no meaning. Clear them.",
              each<&Model::nodes, "flags">([](const NodeItem& item) {
                constexpr std::uint32_t kKnown = (node_flag::kPre2XyQuad << 1U) - 1;
                return item.node->flags > kKnown
                           ? say("flags ", item.node->flags, " of ", quoted(item), " have undefined bits")
                           : "";
              })),
    ModelRule("mdx.bone-ids-first", always(kError), "bone object id not below the number of bones",
              "With N bones the game moves vertices only by the object ids 0 to N - 1; vertices of other "
              "bones are not drawn. Give the bones the first ids.",
              each<&Model::bones, "node.objectId">([](const Bone& bone, const Model& model) {
                const auto id = bone.node.object_id;
                return id >= 0 && static_cast<std::size_t>(id) >= model.bones.size()
                           ? say("bone \"", bone.node.name.view(), "\" has the object id ", id,
                                 ", but the last id for ", counted_noun(model.bones.size(), "bone"), " is ",
                                 model.bones.size() - 1)
                           : "";
              })),
    ModelRule("mdx.pivot-count", {kWarning, kWarning, kError}, "number of pivots differs from objects",
              "Missing pivots are read as 0, 0, 0; extra ones are harmless.", kFixable, pivot_count),
    ModelRule("mdx.pivot-not-finite", always(kError), "NaN or infinity in a pivot", "Set a finite position.",
              pivot_not_finite),
    ModelRule("mdx.bind-pose-count", always(kWarning),
              "number of bind poses differs from objects and cameras",
              "The game's files have one for each object, then one for each camera. Recalculate them.",
              once<"BPOS">([](const Model& model) {
                const std::size_t expected = model.nodes.size() + model.cameras.size();
                return model.bind_poses != nullptr && model.bind_poses->poses.size() != expected
                           ? say(counted_noun(model.bind_poses->poses.size(), "bind pose"), " for ",
                                 counted_noun(model.nodes.size(), "object"), " and ",
                                 counted_noun(model.cameras.size(), "camera"))
                           : "";
              })),
    ModelRule("mdx.bind-pose-singular", {kWarning, kInfo, kWarning}, "bind pose not invertible",
              "Its axes are zero, lie in one plane or are not finite. Recalculate it.", bind_pose_singular),
    ModelRule("mdx.bind-pose-pivot", always(kInfo), "bind poses not at their pivots",
              "Objects were probably added or reordered. Recalculate BPOS; playback does not use it.",
              once<"BPOS.poses">([](const Model& model) -> Fault {
                constexpr float kTolerance = 0.1F;
                if (model.bind_poses == nullptr || model.pivots == nullptr) {
                  return {};
                }
                const auto& poses = model.bind_poses->poses;
                const auto& pivots = model.pivots->points;
                const std::size_t count = std::min({poses.size(), pivots.size(), model.nodes.size()});
                const auto wrong = count_faults(count, [&](std::size_t i) {
                  bool away = false;
                  for (std::size_t axis = 0; axis < 3; ++axis) {
                    away = away || std::abs(poses[i].at(9 + axis) - pivots[i].at(axis)) > kTolerance;
                  }
                  return away;
                });
                return wrong.count > 0
                           ? Fault(say(wrong.count, " of ", count, " bind poses not at their pivots"))
                                 .at(wrong.first)
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> node_rules() { return kNodeRules; }

}  // namespace thaw::mdx::rules
