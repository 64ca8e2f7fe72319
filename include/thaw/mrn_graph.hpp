// What a network is made of and what refers to what, as a graph: for people as Graphviz text, for machines as
// JSON. See mrn.md#the-network.
#pragma once

#include <thaw/mrn.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mrn {

/// Nodes and the edges between them.
struct Graph {
  /// A node of the network, or what nodes refer to.
  struct Node {
    /// "state machine", "clip" and the like (node_type_name), "node" for unknown types, "request" and other
    /// types of messages, "animation", "skeleton", "event track", "name".
    std::string kind;
    std::string name;                   ///< UTF-8; empty where the file has none
    std::optional<std::int64_t> id;     ///< as the file counts
    std::optional<std::uint32_t> type;  ///< of the network's own nodes
    std::optional<std::size_t> parent;  ///< among the nodes: what it is a part of
    bool machine = false;               ///< a state machine
  };
  /// From one node to another.
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    /// "child", "input" (a parameter that feeds a node), "tells" (a message and who listens), "plays" (a clip
    /// and its animation), "moves" (an animation and a skeleton), "events".
    std::string_view kind;
    std::optional<std::size_t> place;  ///< among the children of a node
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Version 24: nodes, messages, animations, skeletons and event tracks. Of other versions, whose nodes are
/// not understood, the names that the network has take the place of nodes (mrn.graph).
Graph graph_of(const Document& document, Diagnostics& diagnostics = Diagnostics::unwanted());

/// In the language of Graphviz. What is a part of a state machine stands in a box of its own.
std::string to_dot(const Graph& graph, std::string_view name);

/// In the JSON Graph Format, version 2.
std::string to_json(const Graph& graph, std::string_view name);

}  // namespace thaw::mrn

#pragma GCC visibility pop
