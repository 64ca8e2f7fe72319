#include "formats/forgelight/mrn/conversions.hpp"

#include <thaw/mrn_graph.hpp>

#include "bytes/text.hpp"
#include "bytes/words.hpp"

namespace thaw::mrn {
namespace {

template <std::string (*kToText)(const Graph&, std::string_view)>
Result<ConvertedFiles> make_graph(const FileToConvert& file) {
  const Graph graph = graph_of(*file.document->get_if<Document>(), file.findings);
  const std::string name = file.file_name.substr(0, file.file_name.find_last_of('.'));
  ConvertedFiles made;
  made.files.emplace_back(file.file_name, to_bytes(kToText(graph, name)));
  made.note = counted(graph.nodes.size(), "node") + ", " + counted(graph.edges.size(), "edge");
  made.json = {{"nodes", static_cast<std::int64_t>(graph.nodes.size())},
               {"edges", static_cast<std::int64_t>(graph.edges.size())}};
  return made;
}

constexpr std::string_view kMade = "networks to graphs";

/// One animation as a file of its own, to the byte what the packet holds.
Result<ConvertedFiles> take_animation(const FileToConvert& file) {
  const auto all = animations(*file.document->get_if<Document>());
  std::vector<const Animation*> wanted;
  std::string names;
  for (const Animation& animation : all) {
    if (!file.clips || file.clips(animation.name)) {
      wanted.push_back(&animation);
      names += (names.empty() ? "" : ", ") + animation.name;
    }
  }
  if (wanted.size() != 1) {
    return fail(codes::kSceneNoClip, wanted.empty() ? "the network has no such animation"
                                                    : "a file holds one animation, and there are " +
                                                          counted(wanted.size(), "animation") +
                                                          ", of which --clip chooses: " + names);
  }
  ConvertedFiles made;
  made.files.emplace_back(file.file_name, nsa::write(*wanted.front()->document));
  made.note = wanted.front()->name;
  made.json = {{"animation", wanted.front()->name}};
  return made;
}

}  // namespace

constexpr std::array<Conversion, 3> kConversions = {{
    {"dot", ".dot", kMade, {}, false, make_graph<to_dot>},
    {"nsa", ".nsa", "animations out of networks", "clip", false, take_animation},
    {"graph-json", ".json", kMade, {}, false, make_graph<to_json>},
}};

}  // namespace thaw::mrn
