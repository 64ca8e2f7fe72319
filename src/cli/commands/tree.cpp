#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {
namespace {

constexpr unsigned kDefaultDepth = 64;

Value tree_json(const std::vector<TreeNode>& nodes) {
  Value list = Value::List();
  for (const auto& node : nodes) {
    Value value;
    value.set("depth", node.depth);
    value.set("name", node.name);
    value.set("offset", static_cast<std::int64_t>(node.offset));
    value.set("size", static_cast<std::int64_t>(node.size));
    value.set("count", node.count ? Value(static_cast<std::int64_t>(*node.count)) : Value());
    value.set("label", node.label);
    value.set("understood", !node.raw);
    list.push(std::move(value));
  }
  return list;
}

}  // namespace

int run_tree(const Settings& settings) {
  const auto depth =
      static_cast<unsigned>(std::min<std::uint64_t>(settings.depth.value_or(kDefaultDepth), kDefaultDepth));
  const Opened opened = open_input(settings.inputs.front(), settings);
  const Exit exit = report_findings(opened, settings);
  if (settings.json) {
    Value value = opened_envelope("tree", opened);
    value.set("size", static_cast<std::int64_t>(opened.size));
    value.set("nodes",
              opened.document ? tree_json(list_tree(inspection_of(*opened.document), depth)) : Value());
    write_stdout(json_line(value));
  } else if (opened.document) {
    write_stdout(print_tree(inspection_of(*opened.document), depth));
  }
  return exit;
}

}  // namespace thaw::cli
