#include <thaw/control.hpp>
#include <thaw/inspect.hpp>

#include "bytes/escape.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/json_writer.hpp"
#include "describe/naming.hpp"
#include "describe/scalars.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace thaw {
namespace {

constexpr std::size_t kNoNode = ~std::size_t{0};

/// "0.5, -2 of 3800 c000": of numbers that are held as their bits the first element, and these. Else empty.
std::string first_with_bits(const Leaf& leaf) {
  std::string numbers;
  std::string bits;
  const bool packed = leaf.kind == ScalarKind::f16 || leaf.kind == kPacked10;
  const std::size_t size = scalar_size(leaf.kind);
  for (unsigned i = 0; packed && i < leaf.components; ++i) {
    const ByteView one = leaf_bytes(leaf).subspan(i * size, size);
    numbers += i > 0 ? ", " : "";
    append_scalar(numbers, leaf.kind, one.data());
    std::uint16_t half = 0;
    std::uint32_t word = 0;
    std::memcpy(size == sizeof half ? static_cast<void*>(&half) : &word, one.data(), size);
    bits += ' ' + hex_text(half | word, static_cast<unsigned>(2 * size));
  }
  return packed ? numbers + " of" + bits : "";
}

/// Makes nodes of events. They are numbered in file order; what holds others is known only after them.
class TreeInspector : public Inspector {
 public:
  explicit TreeInspector(const Control* control) : control_(control) { open_.push_back({}); }

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
      inner.owner = true;
      inner.number = count_++;
      inner.depth = outer.depth + 1;
      nodes_.push_back(std::move(node));
      began(inner.number);
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
    if (inner.owner) {
      known(inner.number, std::move(node));
      nodes_.pop_back();
    }
  }

  void leaf(const Leaf& leaf) override {
    Open& outer = open_.back();
    outer.children += outer.is_list ? 1 : 0;
    if (leaf.role == LeafRole::tag && outer.element && outer.node != kNoNode) {
      nodes_[outer.node].name = open_[open_.size() - 2].names.next(tag_text(leaf));
    } else if (leaf.role == LeafRole::text) {
      set_label(leaf);
    } else if (leaf.role == LeafRole::raw || (leaf.array && leaf.count > 0)) {
      TreeNode node;
      node.depth = outer.depth;
      node.name = leaf.name;
      node.offset = leaf.offset;
      node.size = leaf.size;
      node.count = leaf.role == LeafRole::raw ? std::nullopt : std::optional(leaf.count);
      node.raw = leaf.role == LeafRole::raw;
      node.label = leaf.role == LeafRole::value ? first_with_bits(leaf) : "";
      began(count_);
      known(count_++, std::move(node));
    }
  }

  [[nodiscard]] bool stopped() const override { return is_stopped(control_); }

 protected:
  /// Nodes so far.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  struct Open {
    bool is_list = false;
    bool element = false;
    bool owner = false;  ///< the node ends with it
    unsigned depth = 0;
    std::size_t node = kNoNode;  ///< its place among `nodes_`
    std::size_t number = 0;      ///< of that node
    std::size_t children = 0;
    NamesByTag names;  ///< of its elements, where it is a list
  };

  virtual void began(std::size_t number) = 0;
  virtual void known(std::size_t number, TreeNode node) = 0;

  /// The first text of an object names it, and what it is the first part of.
  void set_label(const Leaf& leaf) {
    for (auto level = open_.rbegin(); level != open_.rend() && !level->is_list; ++level) {
      if (level->node == kNoNode || !nodes_[level->node].label.empty()) {
        return;
      }
      nodes_[level->node].label = leaf_text(leaf);
      if (level->element) {
        return;
      }
    }
  }

  const Control* control_;
  std::vector<TreeNode> nodes_;  ///< those that have not ended
  std::vector<Open> open_;
  std::size_t count_ = 0;
};

using Outline = std::unordered_map<std::size_t, TreeNode>;

/// Finds the nodes that hold so many others that these should not wait until they end.
class Outliner : public TreeInspector {
 public:
  using TreeInspector::TreeInspector;

  Outline take() { return std::move(outline_); }

 private:
  void began(std::size_t /*number*/) override {}
  void known(std::size_t number, TreeNode node) override {
    constexpr std::size_t kMany = 4096;
    if (count() - number > kMany) {
      outline_.emplace(number, std::move(node));
    }
  }

  Outline outline_;
};

/// Gives nodes away in file order, as soon as they are known.
class TreeWalk : public TreeInspector {
 public:
  TreeWalk(unsigned depth, const NodeSink& sink, const Control* control, Outline outline)
      : TreeInspector(control), depth_(depth), sink_(sink), outline_(std::move(outline)) {}

  [[nodiscard]] bool stopped() const override { return ended_ || TreeInspector::stopped(); }

 private:
  void began(std::size_t number) override {
    waiting_.emplace_back();
    if (auto known = outline_.extract(number)) {
      waiting_.back() = std::move(known.mapped());
    }
    hand_over();
  }
  void known(std::size_t number, TreeNode node) override {
    if (number >= first_) {
      waiting_[number - first_] = std::move(node);
      hand_over();
    }
  }

  void hand_over() {
    for (; !waiting_.empty() && waiting_.front(); waiting_.pop_front(), ++first_) {
      if (!ended_ && waiting_.front()->depth < depth_) {
        ended_ = !sink_(*waiting_.front());
      }
    }
  }

  unsigned depth_;
  const NodeSink& sink_;
  Outline outline_;
  std::deque<std::optional<TreeNode>> waiting_;
  std::size_t first_ = 0;  ///< number of the first that waits
  bool ended_ = false;
};

std::string padded(std::string text, std::size_t width) {
  text.insert(0, width > text.size() ? width - text.size() : 0, ' ');
  return text;
}

}  // namespace

bool walk_tree(const Inspection& inspection, unsigned depth, const NodeSink& sink, const Control* control) {
  Outliner outliner(control);
  inspection(outliner);
  TreeWalk walk(depth, sink, control, outliner.take());
  if (!walk.stopped()) {
    inspection(walk);
  }
  return !walk.stopped();
}

std::vector<TreeNode> list_tree(const Inspection& inspection, unsigned depth) {
  std::vector<TreeNode> nodes;
  const NodeSink keep = [&](const TreeNode& node) {
    nodes.push_back(node);
    return true;
  };
  TreeWalk walk(depth, keep, nullptr, {});
  inspection(walk);
  return nodes;
}

std::string print_tree(const Inspection& inspection, unsigned depth) {
  std::string out;
  for (const TreeNode& node : list_tree(inspection, depth)) {
    out += tree_line(node);
  }
  return out;
}

std::string tree_line(const TreeNode& node) {
  constexpr std::size_t kSizeWidth = 10;
  std::string out = offset_text(node.offset) + padded(std::to_string(node.size), kSizeWidth) + "  ";
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
  return out + (node.raw ? "  (not understood)\n" : "\n");
}

}  // namespace thaw
