#include <thaw/mrn.hpp>

#include <thaw/codes.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "formats/forgelight/mrn/links.hpp"

#include <algorithm>
#include <map>

namespace thaw::mrn {
namespace {

constexpr std::uint32_t kStateMachine = 10;

/// The text of an id, as tables with ids have them; empty if there is none.
class NamesById {
 public:
  explicit NamesById(const StringTable* table) : table_(table) {
    const std::size_t count = table == nullptr ? 0 : std::min(table->ids.size(), table->size());
    for (std::size_t i = 0; i < count; ++i) {
      places_.try_emplace(table->ids[i], i);
    }
  }
  [[nodiscard]] std::string find(std::uint32_t id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? std::string() : to_utf8(table_->text(found->second));
  }

 private:
  const StringTable* table_;
  std::map<std::uint32_t, std::size_t> places_;
};

class GraphBuilder {
 public:
  GraphBuilder(const Document& document, Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics), links_(document) {}

  Graph make() {
    add_animations();
    for (const Network* network : document_.all<Network>()) {
      if (document_.layout == Layout::v24_le64) {
        add_network(*network);
      } else {
        add_names(*network);
      }
    }
    report();
    return std::move(graph_);
  }

 private:
  std::size_t add(Graph::Node node) {
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.size() - 1;
  }
  void join(std::size_t from, std::size_t to, std::string_view kind, std::optional<std::size_t> place = {}) {
    graph_.edges.push_back({from, to, kind, place});
  }

  void report() const {
    const auto networks = document_.all<Network>();
    if (networks.empty()) {
      diagnostics_.add(codes::kMrnGraph, "the file has no state network; the graph shows its packets");
    } else if (document_.layout != Layout::v24_le64) {
      diagnostics_.add(codes::kMrnGraph, "nodes of version " + std::to_string(document_.version) +
                                             " have an unknown layout; the graph shows only the names that "
                                             "the network lists");
    }
  }

  /// Animations, and what they move and bring about.
  void add_animations() {
    std::map<std::size_t, std::size_t> by_bones;  // many skeletons, few counts
    const auto bodies = skeletons(document_);
    std::vector<const Skeleton*> kinds;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const std::size_t node = add({"skeleton", bodies[i].name, number, {}, {}, false});
      if (by_bones.try_emplace(bodies[i].skeleton->bones(), node).second) {
        kinds.push_back(bodies[i].skeleton);
      }
    }
    for (const EventTrack* track : document_.all<EventTrack>()) {
      tracks_.emplace(
          track, add({"event track", to_utf8(track->text()), std::int64_t{track->index}, {}, {}, false}));
    }
    const auto all = animations(document_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t node = add({"animation", all[i].name, static_cast<std::int64_t>(i), {}, {}, false});
      animations_.emplace(i, node);
      const auto fitting = std::find_if(kinds.begin(), kinds.end(), [&](const Skeleton* skeleton) {
        return links_.fits(*skeleton, all[i].document->channels(), i);
      });
      if (fitting != kinds.end()) {
        join(node, by_bones.at((*fitting)->bones()), "moves");
      }
      for (const EventTrack* track : links_.events_of(i)) {
        join(node, tracks_.at(track), "events");
      }
    }
  }

  /// Version 26 and others: what is known of states is what they are called.
  void add_names(const Network& network) {
    for (const StringTable& table : network.tables) {
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::string name = to_utf8(table.text(i)); !name.empty()) {
          const auto id = i < table.ids.size() ? std::optional<std::int64_t>(table.ids[i]) : std::nullopt;
          add({"name", std::move(name), id, {}, {}, false});
        }
      }
    }
  }

  [[nodiscard]] static const StringTable* table(const Network& network, std::size_t index) {
    return index < network.tables.size() ? &network.tables[index] : nullptr;
  }

  void add_network(const Network& network) {
    const NamesById names(table(network, 0));
    std::map<std::uint32_t, std::size_t> by_id;
    std::vector<std::pair<const Node*, std::size_t>> placed;
    const auto place = [&](const Node& node) {
      const std::string_view kind = node_type_name(node.type);
      const std::size_t at = add({std::string(kind.empty() ? "node" : kind),
                                  names.find(node.id),
                                  std::int64_t{node.id},
                                  node.type,
                                  {},
                                  node.type == kStateMachine});
      if (by_id.try_emplace(node.id, at).second) {
        placed.emplace_back(&node, at);
      }
    };
    for (const Node& node : network.nodes) {
      if (node.present) {
        place(node);
      }
    }
    // The network's own node may stand in the list, too.
    if (network.instance.present && !by_id.contains(network.instance.id)) {
      place(network.instance);
    }
    for (const auto& [node, at] : placed) {
      join_node(*node, at, by_id);
    }
    add_messages(network, by_id);
  }

  using ById = std::map<std::uint32_t, std::size_t>;

  void join_node(const Node& node, std::size_t at, const ById& by_id) {
    const auto parent = node.parent < 0 ? by_id.end() : by_id.find(static_cast<std::uint32_t>(node.parent));
    if (parent != by_id.end() && parent->second != at) {
      graph_.nodes[at].parent = parent->second;
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (const auto child = by_id.find(node.children[i]); child != by_id.end()) {
        join(at, child->second, "child", i);
      }
    }
    for (const std::uint32_t control : node.controls) {
      if (const auto found = by_id.find(control); found != by_id.end()) {
        join(found->second, at, "input");
      }
    }
    for (const AttributeSpan& attribute : node.attributes) {
      if (attribute.animation) {
        const auto index = static_cast<std::size_t>((*attribute.animation)->animation);
        join(at, animation_node(index), "plays");
      }
    }
  }

  /// Of version 24, whose animations are files of their own.
  std::size_t animation_node(std::size_t index) {
    const auto known = animations_.find(index);
    if (known != animations_.end()) {
      return known->second;
    }
    const auto* names = document_.find<FileNames>();
    std::string name = names == nullptr ? std::string() : to_utf8(names->takes.text(index));
    if (names != nullptr && name.empty()) {
      name = to_utf8(names->files.text(index));
    }
    const auto id = static_cast<std::int64_t>(static_cast<std::int32_t>(index));
    const std::size_t node = add({"animation", std::move(name), id, {}, {}, false});
    animations_.emplace(index, node);
    return node;
  }

  void add_messages(const Network& network, const ById& by_id) {
    const NamesById names(table(network, 1));
    for (const Message& message : network.messages) {
      if (!message.present) {
        continue;
      }
      const std::string_view kind = message_type_name(message.type);
      const std::size_t at = add({std::string(kind.empty() ? "message" : kind),
                                  names.find(static_cast<std::uint32_t>(message.id)),
                                  std::int64_t{message.id},
                                  {},
                                  {},
                                  false});
      for (const std::uint16_t listener : message.nodes) {
        if (const auto found = by_id.find(listener); found != by_id.end()) {
          join(at, found->second, "tells");
        }
      }
    }
  }

  const Document& document_;
  Diagnostics& diagnostics_;
  Links links_;
  Graph graph_;
  std::map<std::size_t, std::size_t> animations_;
  std::map<const EventTrack*, std::size_t> tracks_;
};

// --- Graphviz
// --------------------------------------------------------------------------------------------------------

std::string quoted_text(std::string_view text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      result += '\\';
    }
    result += static_cast<unsigned char>(character) < ' ' ? ' ' : character;
  }
  return result + '"';
}

std::string key(std::size_t node) { return "n" + std::to_string(node); }

std::string label_of(const Graph::Node& node) {
  std::string label = node.kind;
  label += node.type && node.kind == "node" ? " of type " + std::to_string(*node.type) : "";
  label += node.id ? " #" + std::to_string(*node.id) : "";
  return node.name.empty() ? label : node.name + "\n" + label;
}

/// Two lines; the line break is Graphviz's own.
std::string quoted_label(const Graph::Node& node) {
  const std::string label = label_of(node);
  const std::size_t end = label.rfind('\n');
  if (end == std::string::npos) {
    return quoted_text(label);
  }
  std::string text = quoted_text(std::string_view(label).substr(0, end));
  text.pop_back();
  return text + "\\n" + quoted_text(std::string_view(label).substr(end + 1)).substr(1);
}

std::string_view shape_of(const Graph::Node& node) {
  if (node.machine) {
    return "shape=box, style=\"bold\"";
  }
  if (node.type == 400U || node.type == 402U) {
    return "shape=diamond";
  }
  if (node.type && *node.type >= 20 && *node.type <= 25) {
    return "shape=parallelogram, color=\"#1f6f8b\"";
  }
  if (node.type) {
    return "shape=box, style=\"rounded\"";
  }
  return node.kind == "animation"     ? "shape=note, color=\"#2e7d32\""
         : node.kind == "skeleton"    ? "shape=box3d, color=\"#2e7d32\""
         : node.kind == "event track" ? "shape=tab, color=\"#2e7d32\""
         : node.kind == "name"        ? "shape=plaintext"
                                      : "shape=cds, color=\"#8e24aa\"";
}

std::string_view line_of(std::string_view kind) {
  if (kind == "child") {
    return "";
  }
  return kind == "input"   ? "style=dashed, color=\"#1f6f8b\""
         : kind == "tells" ? "style=dotted, color=\"#8e24aa\""
                           : "color=\"#2e7d32\"";
}

/// Writes nodes in boxes of the state machines that they are parts of.
class DotWriter {
 public:
  explicit DotWriter(const Graph& graph) : graph_(graph), machine_(graph.nodes.size()) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      machine_[i] = machine_of(i);
      inside_[machine_[i]].push_back(i);
    }
  }

  std::string write(std::string_view name) {
    text_ = "digraph " + quoted_text(name) + " {\n";
    text_ += "  rankdir=LR;\n  fontname=\"sans-serif\";\n  fontsize=11;\n";
    text_ +=
        "  node [fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n";
    write_inside({}, 0);
    for (const Graph::Edge& edge : graph_.edges) {
      write_edge(edge);
    }
    return text_ + "}\n";
  }

 private:
  using Machine = std::optional<std::size_t>;

  static constexpr std::size_t kDeepest = 32;

  /// The state machine that a node is a part of; none for those that are deeper than anyone looks.
  [[nodiscard]] Machine machine_of(std::size_t node) const {
    Machine found;
    std::size_t steps = 0;
    for (Machine at = graph_.nodes[node].parent; at; at = graph_.nodes[*at].parent) {
      if (++steps > kDeepest) {
        return {};
      }
      if (graph_.nodes[*at].machine) {
        found = found ? found : at;
      }
    }
    return found;
  }

  void write_inside(Machine machine, std::size_t depth) {
    const auto inside = inside_.find(machine);
    if (inside == inside_.end()) {
      return;
    }
    const std::string indent(2 * depth + 2, ' ');
    for (const std::size_t node : inside->second) {
      const Graph::Node& one = graph_.nodes[node];
      text_ +=
          indent + key(node) + " [label=" + quoted_label(one) + ", " + std::string(shape_of(one)) + "];\n";
      if (one.machine && inside_.contains(node) && depth <= kDeepest) {
        text_ += indent + "subgraph " + quoted_text("cluster_" + key(node)) + " {\n";
        text_ += indent + "  label=" + quoted_text(one.name.empty() ? label_of(one) : one.name) + ";\n";
        text_ += indent + "  style=rounded; color=\"#9e9e9e\";\n";
        write_inside(node, depth + 1);
        text_ += indent + "}\n";
      }
    }
  }

  void write_edge(const Graph::Edge& edge) {
    text_ += "  " + key(edge.from) + " -> " + key(edge.to);
    std::string look(line_of(edge.kind));
    // What children mean stands in their order.
    const bool several = edge.place && graph_.nodes[edge.from].type;
    const std::string label = several      ? std::to_string(*edge.place)
                              : edge.place ? ""
                                           : std::string(edge.kind);
    if (!label.empty()) {
      look += (look.empty() ? "label=" : ", label=") + quoted_text(label);
    }
    text_ += (look.empty() ? "" : " [" + look + "]") + ";\n";
  }

  const Graph& graph_;
  std::vector<Machine> machine_;
  std::map<Machine, std::vector<std::size_t>> inside_;
  std::string text_;
};

}  // namespace

Graph graph_of(const Document& document, Diagnostics& diagnostics) {
  return GraphBuilder(document, diagnostics).make();
}

std::string to_dot(const Graph& graph, std::string_view name) { return DotWriter(graph).write(name); }

std::string to_json(const Graph& graph, std::string_view name) {
  Value::Object nodes;  // appended to: `set` looks through all of them
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Graph::Node& node = graph.nodes[i];
    Value metadata;
    metadata.set("kind", node.kind);
    metadata.set("name", node.name);
    if (node.id) {
      metadata.set("id", *node.id);
    }
    if (node.type) {
      metadata.set("type", *node.type);
    }
    if (node.parent) {
      metadata.set("parent", key(*node.parent));
    }
    std::string label = label_of(node);
    std::replace(label.begin(), label.end(), '\n', ' ');
    nodes.emplace_back(key(i), Value().set("label", std::move(label)).set("metadata", std::move(metadata)));
  }
  Value::List edges;
  for (const Graph::Edge& edge : graph.edges) {
    Value value =
        Value().set("source", key(edge.from)).set("target", key(edge.to)).set("relation", edge.kind);
    if (edge.place) {
      value.set("metadata", Value().set("place", static_cast<std::int64_t>(*edge.place)));
    }
    edges.push_back(std::move(value));
  }
  Value inside;
  inside.set("label", name).set("directed", true);
  inside.set("nodes", std::move(nodes)).set("edges", std::move(edges));
  return thaw::to_json(Value().set("graph", std::move(inside))) + '\n';
}

}  // namespace thaw::mrn
