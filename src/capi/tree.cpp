#include <thaw/inspect.hpp>

#include "capi/handles.hpp"

#include <algorithm>

/// The objects of a document, and their names.
struct thaw_tree {
  thaw::AnyDocument document;
  std::vector<thaw_tree_node> nodes;
  std::unordered_set<std::string> names;
  bool complete = true;
};

namespace thaw::capi {
namespace {

thaw_tree_node node_view(const TreeNode& node, std::unordered_set<std::string>& names) {
  thaw_tree_node view{};
  view.size = sizeof(view);
  view.name = names.insert(node.name).first->c_str();
  view.label = names.insert(node.label).first->c_str();
  view.offset = node.offset;
  view.bytes = node.size;
  view.count = node.count ? *node.count : THAW_NO_OFFSET;
  view.depth = node.depth;
  view.raw = node.raw ? 1 : 0;
  return view;
}

/// Sets parents and ends, which follow from the depths.
void connect(std::vector<thaw_tree_node>& nodes) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    open.resize(std::min<std::size_t>(open.size(), nodes[i].depth));
    nodes[i].parent = open.empty() ? THAW_NONE : open.back();
    nodes[i].last = i;
    open.push_back(i);
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].parent != THAW_NONE) {
      std::uint32_t& last = nodes[nodes[i].parent].last;
      last = std::max(last, nodes[i].last);
    }
  }
}

}  // namespace
}  // namespace thaw::capi

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

thaw_tree* thaw_document_tree(const thaw_document* document, size_t most, thaw_error** error) {
  return capi::give<thaw_tree>(error, [&]() -> Result<std::unique_ptr<thaw_tree>> {
    constexpr unsigned kDeepest = 64;
    auto tree = std::make_unique<thaw_tree>(thaw_tree{document->document, {}, {}, true});
    tree->complete = walk_tree(inspection_of(tree->document), kDeepest, [&](const TreeNode& node) {
      if (tree->nodes.size() == most) {
        return false;
      }
      tree->nodes.push_back(capi::node_view(node, tree->names));
      return true;
    });
    capi::connect(tree->nodes);
    return tree;
  });
}

const thaw_tree_node* thaw_tree_all(const thaw_tree* tree, size_t* count, size_t* stride, int* complete) {
  *count = tree->nodes.size();
  *stride = sizeof(thaw_tree_node);
  if (complete != nullptr) {
    *complete = tree->complete ? 1 : 0;
  }
  return tree->nodes.data();
}

void thaw_tree_free(thaw_tree* tree) { delete tree; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
