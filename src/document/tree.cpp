#include <thaw/inspect.hpp>

#include "bytes/shown.hpp"
#include "document/json_text.hpp"
#include "document/naming.hpp"
#include "document/scalars.hpp"

#include <algorithm>

namespace thaw {
namespace {

class TreeList : public Inspector {
 public:
  explicit TreeList(unsigned depth) : limit_(depth) { open_.push_back({}); }

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    Open& outer = open_.back();
    Open inner;
    inner.is_list = is_list;
    inner.element = outer.is_list;
    inner.depth = outer.depth;
    const std::size_t index = outer.children++;
    if (is_list && is_transparent(name)) {
      // Its elements stand directly below the object whose content it is.
      inner.node = outer.node;
    } else {
      TreeNode node;
      node.depth = outer.depth;
      node.name = outer.is_list ? bracketed(std::to_string(index)) : std::string(name);
      node.offset = offset;
      inner.node = nodes_.size();
      inner.depth = outer.depth + 1;
      nodes_.push_back(std::move(node));
    }
    open_.push_back(inner);
  }

  void end(std::uint64_t offset) override {
    const Open inner = open_.back();
    open_.pop_back();
    if (inner.node == kNoNode) {
      return;
    }
    TreeNode& node = nodes_[inner.node];
    node.size = offset - node.offset;
    if (inner.is_list) {
      node.count = inner.children;
    }
  }

  void leaf(const Leaf& leaf) override {
    Open& outer = open_.back();
    outer.children += outer.is_list ? 1 : 0;
    if (leaf.role == LeafRole::tag && outer.element && outer.node != kNoNode) {
      nodes_[outer.node].name = tag_text(leaf);
    } else if (leaf.role == LeafRole::text) {
      set_label(leaf_text(leaf));
    } else if (leaf.role == LeafRole::raw || (leaf.array && leaf.count > 0)) {
      TreeNode node;
      node.depth = outer.depth;
      node.name = leaf.name;
      node.offset = leaf.offset;
      node.size = leaf.size;
      node.count = leaf.role == LeafRole::raw ? std::nullopt : std::optional(leaf.count);
      node.raw = leaf.role == LeafRole::raw;
      nodes_.push_back(std::move(node));
    }
  }

  std::vector<TreeNode> take() {
    const auto too_deep = [this](const TreeNode& node) { return node.depth >= limit_; };
    nodes_.erase(std::remove_if(nodes_.begin(), nodes_.end(), too_deep), nodes_.end());
    return std::move(nodes_);
  }

 private:
  static constexpr std::size_t kNoNode = ~std::size_t{0};

  struct Open {
    bool is_list = false;
    bool element = false;
    unsigned depth = 0;
    std::size_t node = kNoNode;
    std::size_t children = 0;
  };

  /// The first text of an object names it, and what it is the first part of.
  void set_label(const std::string& text) {
    for (auto level = open_.rbegin(); level != open_.rend() && !level->is_list; ++level) {
      if (level->node == kNoNode || !nodes_[level->node].label.empty()) {
        return;
      }
      nodes_[level->node].label = text;
      if (level->element) {
        return;
      }
    }
  }

  unsigned limit_;
  std::vector<TreeNode> nodes_;
  std::vector<Open> open_;
};

std::string padded(std::string text, std::size_t width) {
  text.insert(0, width > text.size() ? width - text.size() : 0, ' ');
  return text;
}

}  // namespace

std::vector<TreeNode> list_tree(const Inspection& inspection, unsigned depth) {
  TreeList list(depth);
  inspection(list);
  return list.take();
}

std::string print_tree(const Inspection& inspection, unsigned depth) {
  constexpr std::size_t kSizeWidth = 10;
  std::string out;
  for (const TreeNode& node : list_tree(inspection, depth)) {
    out += offset_text(node.offset) + padded(std::to_string(node.size), kSizeWidth) + "  ";
    out.append(std::size_t{node.depth} * 2, ' ');
    out += shown(node.name);
    if (node.count) {
      out += " ×" + std::to_string(*node.count);
    }
    if (!node.label.empty()) {
      std::string label;
      append_json_string(label, node.label);
      out += ' ' + shown(label);
    }
    out += node.raw ? "  (not understood)\n" : "\n";
  }
  return out;
}

}  // namespace thaw
