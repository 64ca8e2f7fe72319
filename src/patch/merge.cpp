#include "patch/merge.hpp"

#include "describe/naming.hpp"
#include "patch/edit_path.hpp"

#include <algorithm>
#include <optional>

namespace thaw {
namespace {

using NodeKind = JsonNode::Kind;

bool same_text(const JsonNode& a, const JsonNode& b) { return a.written() == b.written(); }

class TreeMerger {
 public:
  explicit TreeMerger(const std::set<const char*>* following) : following_(following) {}

  TreeMerge run(JsonNode& base, JsonNode& ours, JsonNode& theirs) {
    TreeMerge merge;
    merge.result = join(&base, &ours, &theirs).value_or(JsonNode());
    merge.conflicts = std::move(conflicts_);
    return merge;
  }

 private:
  using Joined = std::optional<JsonNode>;

  /// A part of a list that one side put in place of some items of the base.
  struct Hunk {
    std::size_t from;
    std::size_t base_end;
    std::size_t side_end;

    [[nodiscard]] bool empty() const { return from == base_end && from == side_end; }
  };

  static bool unchanged(const JsonNode* a, const JsonNode* b) {
    return a == nullptr || b == nullptr ? a == b : same_text(*a, *b);
  }
  static Joined copy(const JsonNode* node) { return node == nullptr ? Joined() : Joined(*node); }

  Joined conflict(const JsonNode* ours, std::string_view what = "") {
    conflicts_.push_back(joined(path_, what));
    return copy(ours);
  }

  /// Null is what is not there.
  Joined join(JsonNode* base, JsonNode* ours, JsonNode* theirs) {
    if (unchanged(ours, theirs) || unchanged(base, theirs) || follows(theirs)) {
      return copy(ours);
    }
    if (unchanged(base, ours)) {
      return following_ != nullptr && ours != nullptr && theirs != nullptr ? adopted(*ours, *theirs)
                                                                           : copy(theirs);
    }
    const bool all = base != nullptr && ours != nullptr && theirs != nullptr;
    if (!all || base->kind() != ours->kind() || base->kind() != theirs->kind() ||
        (is_unit(*base) && !has_following(*theirs))) {
      return conflict(ours);
    }
    return base->kind() == NodeKind::object ? members(*base, *ours, *theirs) : list(*base, *ours, *theirs);
  }

  [[nodiscard]] bool follows(const JsonNode* theirs) const {
    return following_ != nullptr && theirs != nullptr && theirs->kind() == NodeKind::atom &&
           following_->count(theirs->source().data()) > 0;
  }

  [[nodiscard]] bool has_following(JsonNode& list) const {
    const auto& items = list.items();
    return std::any_of(items.begin(), items.end(), [&](const auto& item) { return follows(&item.value); });
  }

  /// Theirs in the place of ours, part by part.
  JsonNode adopted(JsonNode& ours, JsonNode& theirs) {
    JsonNode result = ours;
    const NodeKind kind = ours.kind();
    if (follows(&theirs) || same_text(ours, theirs)) {
      return result;
    }
    if (kind == NodeKind::atom || kind != theirs.kind() || !same_names(ours, theirs)) {
      result.replace(JsonNode(theirs));
      return result;
    }
    auto& items = result.items();
    auto& others = theirs.items();
    const Hunk hunk = items.size() == others.size() ? Hunk{items.size(), items.size(), others.size()}
                                                    : hunk_of(ours, theirs);
    for (std::size_t i = 0; i < std::min(hunk.from, others.size()); ++i) {
      items[i].value = adopted(ours.items()[i].value, others[i].value);
    }
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(hunk.from);
    items.insert(items.erase(at, items.begin() + static_cast<std::ptrdiff_t>(hunk.base_end)),
                 others.begin() + static_cast<std::ptrdiff_t>(hunk.from),
                 others.begin() + static_cast<std::ptrdiff_t>(hunk.side_end));
    return result;
  }

  /// Lists, or objects with the same members.
  static bool same_names(JsonNode& a, JsonNode& b) {
    return a.kind() == NodeKind::list ||
           std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                      [](const auto& one, const auto& other) { return one.name == other.name; });
  }

  /// What is changed as a whole: a number, a text, a vector, a key.
  static bool is_unit(JsonNode& node) {
    constexpr std::size_t kMost = 16;
    if (node.kind() != NodeKind::list) {
      return node.kind() == NodeKind::atom;
    }
    const auto& items = node.items();
    return items.size() <= kMost && std::all_of(items.begin(), items.end(), [](const auto& item) {
             return item.value.kind() == NodeKind::atom;
           });
  }

  template <class F>
  auto below(const std::string& name, F&& body) {
    std::string outer = path_;
    const bool hidden = name == "items" || is_transparent(name);
    path_ = hidden ? path_ : !name.empty() && name.front() == '[' ? path_ + name : joined(path_, name);
    auto result = body();
    path_ = std::move(outer);
    return result;
  }

  Joined members(JsonNode& base, JsonNode& ours, JsonNode& theirs) {
    JsonNode result = ours;
    for (auto& member : base.items()) {
      auto value = below(
          member.name, [&] { return join(&member.value, ours.find(member.name), theirs.find(member.name)); });
      settle(result, member.name, std::move(value));
    }
    for (auto& member : theirs.items()) {
      if (base.find(member.name) == nullptr) {
        auto value = below(member.name, [&] { return join(nullptr, ours.find(member.name), &member.value); });
        settle(result, member.name, std::move(value));
      }
    }
    return result;
  }

  static void settle(JsonNode& object, const std::string& name, Joined value) {
    auto& items = object.items();
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
    if (found != items.end() && value) {
      found->value = std::move(*value);
    } else if (found != items.end()) {
      items.erase(found);
    } else if (value) {
      items.push_back({name, std::move(*value)});
    }
  }

  static std::string part_of(JsonNode& item, std::size_t index) {
    const std::string tag = item_tag(item);
    return !tag.empty() ? tag : bracketed(std::to_string(index));
  }

  Joined item(JsonNode& base, JsonNode& ours, JsonNode& theirs, std::size_t index) {
    return below(part_of(base, index), [&] { return join(&base, &ours, &theirs); });
  }

  Joined list(JsonNode& base, JsonNode& ours, JsonNode& theirs) {
    if (base.count() == ours.count() && base.count() == theirs.count()) {
      JsonNode result = ours;
      for (std::size_t i = 0; i < base.count(); ++i) {
        auto value = item(base.items()[i].value, ours.items()[i].value, theirs.items()[i].value, i);
        result.items()[i].value = std::move(*value);
      }
      return result;
    }
    return hunks(base, ours, theirs);
  }

  static Hunk hunk_of(JsonNode& base, JsonNode& side) {
    auto& a = base.items();
    auto& b = side.items();
    std::size_t first = 0;
    while (first < std::min(a.size(), b.size()) && same_text(a[first].value, b[first].value)) {
      ++first;
    }
    std::size_t after = 0;
    while (after < std::min(a.size(), b.size()) - first &&
           same_text(a[a.size() - 1 - after].value, b[b.size() - 1 - after].value)) {
      ++after;
    }
    return {first, a.size() - after, b.size() - after};
  }

  /// Lists of which one side at least has another length: one stretch of each side may differ.
  Joined hunks(JsonNode& base, JsonNode& ours, JsonNode& theirs) {
    const Hunk our = hunk_of(base, ours);
    const Hunk their = hunk_of(base, theirs);
    const bool apart = our.base_end <= their.from || their.base_end <= our.from;
    const bool same_place =
        our.from == their.from && our.base_end == our.from && their.base_end == their.from;
    if (!apart || same_place) {
      return conflict(&ours);
    }
    JsonNode result = ours;
    auto& items = result.items();
    const auto& added = theirs.items();
    // Their stretch, counted in ours.
    const std::ptrdiff_t shift = our.base_end <= their.from ? static_cast<std::ptrdiff_t>(our.side_end) -
                                                                  static_cast<std::ptrdiff_t>(our.base_end)
                                                            : 0;
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(their.from) + shift;
    const auto after = at + static_cast<std::ptrdiff_t>(their.base_end - their.from);
    const auto place = items.erase(at, after);
    items.insert(place, added.begin() + static_cast<std::ptrdiff_t>(their.from),
                 added.begin() + static_cast<std::ptrdiff_t>(their.side_end));
    return result;
  }

  const std::set<const char*>* following_;
  std::string path_;
  std::vector<std::string> conflicts_;
};

}  // namespace

TreeMerge merge_trees(JsonNode& base, JsonNode& ours, JsonNode& theirs,
                      const std::set<const char*>* following) {
  return TreeMerger(following).run(base, ours, theirs);
}

}  // namespace thaw
