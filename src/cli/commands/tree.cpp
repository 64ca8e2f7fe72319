#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

#include <utility>

namespace thaw::cli {
namespace {

constexpr unsigned kDefaultDepth = 64;

Value node_json(const TreeNode& node) {
  Value value;
  value.set("depth", node.depth);
  value.set("name", node.name);
  value.set("offset", static_cast<std::int64_t>(node.offset));
  value.set("size", static_cast<std::int64_t>(node.size));
  value.set("count", node.count ? Value(static_cast<std::int64_t>(*node.count)) : Value());
  value.set("label", node.label);
  value.set("understood", !node.raw);
  return value;
}

/// The object as it would be printed as a whole, without holding all of its nodes.
void write_json(const Opened& opened, unsigned depth) {
  Value value = opened_envelope("tree", opened);
  value.set("size", static_cast<std::int64_t>(opened.size));
  if (!opened.is_read()) {
    write_stdout(json_line(value.set("nodes", Value())));
    return;
  }
  std::string head = to_json(value);
  head.pop_back();  // the closing brace
  write_stdout(head + ",\"nodes\":[");
  bool first = true;
  walk_tree(
      opened.inspection(), depth,
      [&](const TreeNode& node) {
        const std::string text = to_json(node_json(node));
        return write_stdout(std::exchange(first, false) ? text : ',' + text);
      },
      current_control());
  stop_when_requested();
  write_stdout("]}\n");
}

}  // namespace

int run_tree(const Settings& settings) {
  const auto depth =
      static_cast<unsigned>(std::min<std::uint64_t>(settings.depth.value_or(kDefaultDepth), kDefaultDepth));
  if (const std::string why = check_tiles(settings, {named_input(settings.inputs.front(), settings)});
      !why.empty()) {
    return usage_error("tree", why);
  }
  const Opened opened = open_input(settings.inputs.front(), settings);
  const Exit exit = report_findings(opened, settings);
  if (settings.json) {
    write_json(opened, depth);
  } else if (opened.is_read()) {
    walk_tree(
        opened.inspection(), depth, [](const TreeNode& node) { return write_stdout(tree_line(node)); },
        current_control());
  }
  return failure_since(opened, settings).value_or(exit);
}

}  // namespace thaw::cli
