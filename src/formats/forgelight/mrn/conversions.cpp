#include "formats/forgelight/mrn/conversions.hpp"

#include <thaw/convert.hpp>
#include <thaw/mrn.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"

namespace thaw::mrn {
namespace {

template <std::string (*kToText)(const Graph&, std::string_view)>
Result<Outputs> make_graph(const FileContext& file) {
  const Graph graph = graph_of(*file.document->get_if<Document>(), file.findings);
  Outputs outputs;
  outputs.files.push_back({std::string(file.name), to_bytes(kToText(graph, without_extension(file.name)))});
  outputs.note = counted(graph.nodes.size(), "node") + ", " + counted(graph.edges.size(), "edge");
  outputs.json = {{"nodes", static_cast<std::int64_t>(graph.nodes.size())},
                  {"edges", static_cast<std::int64_t>(graph.edges.size())}};
  return outputs;
}

constexpr std::string_view kGraphLabel = "networks to graphs";

/// One animation as a file of its own, to the byte what the packet holds.
Result<Outputs> take_animation(const FileContext& file) {
  const auto all = animations(*file.document->get_if<Document>());
  std::vector<const Animation*> requested;
  std::vector<std::string> names;
  const auto& is_requested = file.options.scene.clips.requested;
  for (const Animation& animation : all) {
    if (!is_requested || is_requested(animation.name)) {
      requested.push_back(&animation);
      names.push_back(animation.name);
    }
  }
  if (requested.size() != 1) {
    for (std::size_t i = 0; requested.empty() && i < all.size(); ++i) {
      names.push_back(all[i].name);
    }
    return fail(codes::kSceneNoClip, requested.empty()
                                         ? "no animation matches; the network has: " + names_text(names)
                                         : "an NSA file contains one animation; choose one of " +
                                               counted(requested.size(), "animation") +
                                               " with --clip: " + names_text(names));
  }
  Outputs outputs;
  outputs.files.push_back({std::string(file.name), nsa::write(*requested.front()->document)});
  outputs.note = requested.front()->name;
  outputs.json = {{"animation", requested.front()->name}};
  return outputs;
}

}  // namespace

constexpr std::array<Conversion, 3> kConversions = {{
    {"dot", ".dot", kGraphLabel, false, make_graph<to_dot>},
    {"nsa", ".nsa", "animations from networks", false, take_animation},
    {"graph-json", ".json", kGraphLabel, false, make_graph<to_json>},
}};

}  // namespace thaw::mrn
