#include <thaw/control.hpp>
#include <thaw/inspect.hpp>

#include "bytes/text_encoding.hpp"
#include "describe/diff.hpp"
#include "describe/json_writer.hpp"
#include "describe/naming.hpp"
#include "describe/scalars.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace thaw {
namespace {

/// One object, list or field, with a copy of what it holds.
struct Entry {
  std::string path;
  std::size_t after = 0;  ///< index of the first entry that is not inside this one
  bool is_leaf = false;
  bool is_order = false;  ///< states the tags of a list's elements
  LeafRole role = LeafRole::value;
  ScalarKind kind = ScalarKind::u8;
  bool array = false;
  unsigned components = 1;
  std::size_t count = 0;  ///< elements of a leaf, or members of an object
  std::uint64_t size = 0;
  Bytes bytes;
};

class Flatten : public Inspector {
 public:
  explicit Flatten(const Control* control) : control_(control) { open_.push_back({}); }

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    Open& outer = open_.back();
    Open inner;
    inner.is_list = is_list;
    inner.element = outer.is_list;
    inner.start = offset;
    inner.entry = entries_.size();
    inner.path = outer.is_list ? outer.path + bracketed(std::to_string(outer.children))
                               : joined(outer.path, is_transparent(name) ? "" : name);
    inner.transparent = is_list && is_transparent(name);
    ++outer.children;
    Entry entry;
    entry.path = inner.path;
    entries_.push_back(std::move(entry));
    open_.push_back(std::move(inner));
  }

  void end(std::uint64_t offset) override {
    const Open inner = std::move(open_.back());
    open_.pop_back();
    Entry& entry = entries_[inner.entry];
    entry.path = inner.path + (inner.is_list ? "[]" : "");
    entry.after = entries_.size();
    entry.count = inner.children;
    entry.size = offset - inner.start;
    if (inner.is_list && !inner.tags.empty()) {
      order(inner);
    }
  }

  void leaf(const Leaf& leaf) override {
    if (leaf.role == LeafRole::structure) {
      return;
    }
    Open& level = open_.back();
    if (leaf.role == LeafRole::tag && level.element) {
      rename(tag_text(leaf));
      return;
    }
    Entry entry;
    entry.path = level.is_list ? level.path + bracketed(std::to_string(level.children))
                               : joined(level.path, leaf.name);
    ++level.children;
    entry.after = entries_.size() + 1;
    entry.is_leaf = true;
    entry.role = leaf.role;
    entry.kind = leaf.kind;
    entry.array = leaf.array;
    entry.components = leaf.components;
    entry.count = leaf.count;
    entry.size = leaf.size;
    const ByteView bytes = leaf_bytes(leaf);
    entry.bytes.assign(bytes.begin(), bytes.end());
    entries_.push_back(std::move(entry));
  }

  [[nodiscard]] bool stopped() const override { return is_stopped(control_); }

  std::vector<Entry> take() { return std::move(entries_); }

 private:
  struct Open {
    std::string path;
    bool is_list = false;
    bool element = false;
    bool transparent = false;
    std::uint64_t start = 0;
    std::size_t entry = 0;
    std::size_t children = 0;
    std::string tags;  ///< of a list's elements, in order
    NamesByTag names;  ///< of a list's elements
  };

  /// The tag is the first member of an element, so nothing inside it has been named yet.
  void rename(const std::string& tag) {
    Open& element = open_.back();
    Open& list = open_[open_.size() - 2];
    const std::string name = list.names.next(tag);
    element.path = list.transparent ? joined(list.path, name) : list.path + bracketed(name);
    entries_[element.entry].path = element.path;
    list.tags += list.tags.empty() ? name : ' ' + name;
  }

  /// Tagged elements are matched by tag, so that their order is a fact of its own.
  void order(const Open& list) {
    Entry entry;
    entry.path = joined(list.path, "order");
    entry.after = entries_.size() + 1;
    entry.is_leaf = true;
    entry.is_order = true;
    entry.role = LeafRole::text;
    entry.size = list.tags.size();
    entry.bytes.resize(list.tags.size());
    std::memcpy(entry.bytes.data(), list.tags.data(), list.tags.size());
    entries_.push_back(std::move(entry));
    entries_[list.entry].after = entries_.size();
  }

  const Control* control_;
  std::vector<Entry> entries_;
  std::vector<Open> open_;
};

std::string quoted(const Entry& entry) {
  Leaf leaf;
  leaf.data = entry.bytes.data();
  leaf.size = entry.bytes.size();
  std::string text;
  append_json_string(text, leaf_text(leaf));
  return text;
}

std::size_t element_size(const Entry& entry) {
  switch (entry.role) {
    case LeafRole::rows:
      return sizeof(std::int32_t) + entry.components * scalar_size(entry.kind);
    case LeafRole::value:
      return entry.components * scalar_size(entry.kind);
    default:
      return 1;
  }
}

/// One element of a leaf: a number, or several in brackets.
std::string element_text(const Entry& entry, std::size_t index) {
  const auto* at = entry.bytes.data() + index * element_size(entry);
  std::string text;
  if (entry.role == LeafRole::raw) {
    append_hex(text, {at, 1});
    return text;
  }
  const bool row = entry.role == LeafRole::rows;
  const bool several = row || entry.components > 1;
  text += several ? "[" : "";
  if (row) {
    append_scalar(text, ScalarKind::i32, at);
    at += sizeof(std::int32_t);
  }
  for (unsigned i = 0; i < entry.components; ++i) {
    text += row || i > 0 ? ", " : "";
    append_scalar(text, entry.kind, at);
    at += scalar_size(entry.kind);
  }
  text += several ? "]" : "";
  return text;
}

std::string summary(const Entry& entry) {
  if (!entry.is_leaf) {
    return std::to_string(entry.size) + " bytes";
  }
  if (entry.role == LeafRole::text || entry.role == LeafRole::tag) {
    return quoted(entry);
  }
  if (!entry.array) {
    return element_text(entry, 0);
  }
  return std::to_string(entry.count) + (entry.role == LeafRole::raw ? " bytes" : " elements");
}

/// Do both sides have the same tags?
bool same_words(const Entry& a, const Entry& b) {
  const auto sorted_words = [](const Entry& entry) {
    std::vector<std::string> words(1);
    for (const auto byte : entry.bytes) {
      if (byte == ' ') {
        words.emplace_back();
      } else {
        words.back() += static_cast<char>(byte);
      }
    }
    std::sort(words.begin(), words.end());
    return words;
  };
  return sorted_words(a) == sorted_words(b);
}

bool same_shape(const Entry& a, const Entry& b) {
  return a.is_leaf == b.is_leaf && a.role == b.role && a.kind == b.kind && a.array == b.array &&
         a.components == b.components;
}

/// "[3] = [0, 1, 2] (5 of 12 differ)" on each side.
Difference array_difference(const Entry& left, const Entry& right) {
  const std::size_t element = element_size(left);
  const std::size_t common = std::min(left.count, right.count);
  std::size_t first = common;
  std::size_t different = 0;
  for (std::size_t i = 0; i < common; ++i) {
    if (std::memcmp(left.bytes.data() + i * element, right.bytes.data() + i * element, element) != 0) {
      first = std::min(first, i);
      ++different;
    }
  }
  Difference difference{left.path, {}, {}};
  if (left.count != right.count) {
    difference.left = summary(left);
    difference.right = summary(right);
  }
  if (different > 0) {
    const std::string separator = left.count != right.count ? "; " : "";
    difference.path += bracketed(std::to_string(first));
    difference.left += separator + element_text(left, first);
    difference.right += separator + element_text(right, first) + " (" + std::to_string(different) + " of " +
                        std::to_string(common) + " differ)";
  }
  return difference;
}

class Comparison {
 public:
  Comparison(std::vector<Entry> left, std::vector<Entry> right, std::size_t limit, const Control* control)
      : left_(std::move(left)),
        right_(std::move(right)),
        limit_(limit),
        control_(control),
        left_index_(index_of(left_)),
        right_index_(index_of(right_)) {}

  Compared run() {
    std::size_t reached = 0;  // on the right side
    for (std::size_t i = 0; i < left_.size() && !full();) {
      const Entry& left = left_[i];
      const auto found = right_index_.find(key_of(left));
      if (found == right_index_.end()) {
        add({left.path, summary(left), ""});
        i = left.after;
        continue;
      }
      if (found->second >= reached) {
        right_only(reached, found->second);
        reached = found->second + 1;
      }
      if (compare(left, right_[found->second])) {
        ++i;
      } else {
        i = left.after;
        reached = std::max(reached, right_[found->second].after);
      }
    }
    const std::size_t before = differences_.size();
    right_only(reached, right_.size());
    const std::size_t after = differences_.size() - before;
    return {std::move(differences_), after};
  }

 private:
  // Looked into only, never walked: its order does not matter.
  using Index = std::unordered_map<std::string, std::size_t>;

  /// What holds one nameless thing has the path of what it holds.
  static std::string key_of(const Entry& entry) { return entry.is_leaf ? entry.path : entry.path + '\n'; }

  [[nodiscard]] Index index_of(const std::vector<Entry>& entries) const {
    Index index;
    for (std::size_t i = 0; i < entries.size() && !is_stopped(control_); ++i) {
      index.emplace(key_of(entries[i]), i);
    }
    return index;
  }

  [[nodiscard]] bool full() const { return differences_.size() >= limit_ || is_stopped(control_); }
  void add(Difference difference) {
    if (!full()) {
      differences_.push_back(std::move(difference));
    }
  }

  void right_only(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && !full();) {
      const Entry& right = right_[i];
      const bool known = left_index_.find(key_of(right)) != left_index_.end();
      if (!known) {
        add({right.path, "", summary(right)});
      }
      i = known ? i + 1 : right.after;
    }
  }

  /// False if what is inside need not be compared.
  bool compare(const Entry& left, const Entry& right) {
    if (!same_shape(left, right)) {
      add({left.path, summary(left), summary(right)});
      return false;
    }
    if (!left.is_leaf || left.bytes == right.bytes) {
      return true;
    }
    if (left.is_order && !same_words(left, right)) {
      return true;  // what is missing or new has been reported
    }
    if (left.array) {
      add(array_difference(left, right));
    } else if (left.role == LeafRole::text && quoted(left) == quoted(right)) {
      add({left.path, quoted(left), quoted(right) + " (bytes after the string differ)"});
    } else {
      add({left.path, summary(left), summary(right)});
    }
    return true;
  }

  std::vector<Entry> left_;
  std::vector<Entry> right_;
  std::size_t limit_;
  const Control* control_;
  Index left_index_;
  Index right_index_;
  std::vector<Difference> differences_;
};

std::vector<Entry> flatten(const Inspection& inspection, const Control* control) {
  Flatten flat(control);
  inspection(flat);
  return flat.take();
}

}  // namespace

Compared compare(const Inspection& left, const Inspection& right, std::size_t limit, const Control* control) {
  return Comparison(flatten(left, control), flatten(right, control), limit, control).run();
}

std::vector<Difference> diff(const Inspection& left, const Inspection& right, std::size_t limit,
                             const Control* control) {
  return compare(left, right, limit, control).differences;
}

}  // namespace thaw
