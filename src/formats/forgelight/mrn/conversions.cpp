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

}  // namespace

constexpr std::array<Conversion, 2> kConversions = {{
    {"dot", ".dot", kMade, {}, false, make_graph<to_dot>},
    {"graph-json", ".json", kMade, {}, false, make_graph<to_json>},
}};

}  // namespace thaw::mrn
