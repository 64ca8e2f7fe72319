#include "cli/convert/convert_graph.hpp"

#include <thaw/mrn_graph.hpp>

#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {

Product make_graph(const Work& work, const mrn::Document& network) {
  const mrn::Graph graph = mrn::graph_of(network, work.findings);
  const std::string name = work.output.stem().string();
  const std::string text =
      work.target == targets::kDot ? mrn::to_dot(graph, name) : mrn::to_json(graph, name);
  Product product;
  product.files.push_back({work.output.filename().string(), Bytes(text.begin(), text.end())});
  product.facts = concat({counted(graph.nodes.size(), "node"), ", ", counted(graph.edges.size(), "edge")});
  product.json = {{"nodes", static_cast<std::int64_t>(graph.nodes.size())},
                  {"edges", static_cast<std::int64_t>(graph.edges.size())}};
  return product;
}

}  // namespace thaw::cli
