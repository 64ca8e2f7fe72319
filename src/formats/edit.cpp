#include <thaw/edit.hpp>
#include <thaw/validate.hpp>
#include <thaw/value.hpp>

#include "bytes/number_text.hpp"
#include "describe/json_writer.hpp"
#include "describe/naming.hpp"
#include "formats/built.hpp"
#include "formats/list.hpp"
#include "patch/edit_path.hpp"
#include "patch/json_tree.hpp"
#include "patch/layout.hpp"
#include "patch/merge.hpp"
#include "patch/relocate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace thaw {
namespace {

JsonTree tree_of(const AnyDocument& document) {
  // A dump is JSON.
  return std::move(JsonTree::parse(dump_any(document)).value());
}

Layout layout_of_any(const AnyDocument& document) {
  const FormatDescriptor& format = descriptor_of(document);
  return layout_of(inspection_of(document), *memory_storage(format.document.content(document)), format.id);
}

bool is_word(std::string_view text) {
  return text == "nan" || text == "inf" || text == "-inf" || text.substr(0, 4) == "nan:";
}

bool is_text(JsonNode& node) {
  const bool atom = node.kind() == JsonNode::Kind::atom;
  return (atom && !node.source().empty() && node.source().front() == '"') || node.find("text") != nullptr;
}

std::string quoted_text(std::string_view text) {
  std::string out;
  append_json_string(out, to_utf8(text));
  return out;
}

/// JSON of what people write: texts may stand without quotes.
std::string value_text(std::string_view value, JsonNode* instead_of) {
  const bool is_json_text = value.size() > 1 && value.front() == '"' && value.back() == '"';
  const bool is_object = !value.empty() && value.front() == '{' && value.back() == '}';
  const bool is_number_word = instead_of != nullptr && is_text(*instead_of) && is_word(instead_of->text());
  if (is_word(value)) {
    return quoted_text(value);
  }
  if (instead_of != nullptr && is_text(*instead_of) && !is_number_word && !is_json_text && !is_object) {
    return quoted_text(value);
  }
  return std::string(value);
}

/// "layers" is counted by `count`, `layerCount`, `nLayers` and the like.
bool is_count_of(std::string_view name, std::string_view list) {
  if (name == "count") {
    return true;
  }
  const auto same_letters = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  const auto begins = [&](std::string_view text) {
    constexpr std::size_t kLetters = 3;
    const std::size_t size = std::min({kLetters, text.size(), list.size()});
    return size > 0 && std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size),
                                  list.begin(), same_letters);
  };
  const bool ends = name.size() > 5 && (name.substr(name.size() - 5) == "Count");
  const bool counted = name.size() > 1 && name.front() == 'n' && name[1] >= 'A' && name[1] <= 'Z';
  return (ends && begins(name)) || (counted && begins(name.substr(1))) ||
         (name.size() > 6 && name.substr(name.size() - 6) == "Length" && begins(name));
}

}  // namespace

struct Editor::State {
  explicit State(const AnyDocument& document)
      : original(document), tree(tree_of(document)), first(&tree.parsed()) {}

  struct Snapshot {
    JsonTree tree;
    bool has_layout;
  };

  AnyDocument original;
  JsonTree tree;
  const std::string* first;  ///< the dump of the original
  bool has_layout = false;   ///< a patch said where everything lies
  std::vector<Snapshot> before;

  Result<std::vector<EditTarget>> find(std::string_view path) { return find_targets(tree.root(), path); }

  /// Carries an edit out, all or nothing.
  template <class F>
  Result<void> change(F&& body) {
    Snapshot snapshot{tree, has_layout};
    Result<void> done = body();
    if (done) {
      before.push_back(std::move(snapshot));
    } else {
      tree = std::move(snapshot.tree);
    }
    return done;
  }

  /// Fields that count a list whose length changed are set to what it is now.
  void follow(const EditTarget& place, std::size_t was) {
    JsonNode* list = place.holder;
    if (list == nullptr || list->kind() != JsonNode::Kind::list || place.outer == nullptr) {
      return;
    }
    recount(*place.outer, place.holder_name, was, list->count());
  }

  void recount(JsonNode& object, std::string_view list, std::size_t was, std::size_t is) {
    const auto in = [&](JsonNode& holder) {
      for (auto& member : holder.items()) {
        const bool counts = member.value.kind() == JsonNode::Kind::atom && is_count_of(member.name, list) &&
                            member.value.source() == std::to_string(was);
        if (counts) {
          if (auto value = tree.value(std::to_string(is))) {
            member.value.replace(std::move(*value));
          }
          return;
        }
      }
    };
    if (object.kind() != JsonNode::Kind::object || was == is) {
      return;
    }
    in(object);
    if (JsonNode* header = object.find("header")) {
      if (header->kind() == JsonNode::Kind::object) {
        in(*header);
      }
    }
  }

  Result<void> put(EditTarget& place, std::string_view text) {
    if (place.value == nullptr || place.holder == nullptr) {
      return fail(codes::kEditPath, "nothing at this path; `add` appends to a list", {}, place.path);
    }
    auto value = tree.value(value_text(text, place.value));
    if (!value) {
      return fail(
          codes::kEditPath,
          std::string(text) + " is not a value; expected a number, a quoted string, a list or an object", {},
          place.path);
    }
    const bool lists = place.value->kind() == JsonNode::Kind::list && value->kind() == JsonNode::Kind::list;
    const std::size_t was = lists ? place.value->count() : 0;
    place.value->replace(std::move(*value));
    if (lists && place.holder->kind() == JsonNode::Kind::object) {
      const std::size_t is = place.value->count();
      const auto entry = std::find_if(place.holder->items().begin(), place.holder->items().end(),
                                      [&](const auto& member) { return &member.value == place.value; });
      recount(*place.holder, entry->name, was, is);
    }
    return {};
  }

  Result<void> insert(const EditTarget& place, JsonNode value) {
    if (place.holder == nullptr || place.holder->kind() != JsonNode::Kind::list) {
      return fail(codes::kEditPath, "items can be added to lists only: PATH[2], or PATH[+] for the end", {},
                  place.path);
    }
    auto& items = place.holder->items();
    const std::size_t was = items.size();
    const auto at = std::find_if(items.begin(), items.end(),
                                 [&](const auto& item) { return &item.value == place.value; });
    shift_exceptions(*place.holder, static_cast<std::size_t>(at - items.begin()), true);
    items.insert(at, {"", std::move(value)});
    follow(place, was);
    return {};
  }

  /// From the last to the first, so that the others keep their numbers.
  Result<void> take_away(std::string_view path) {
    while (true) {
      auto places = find(path);
      if (!places) {
        return tl::unexpected<Error>(std::move(places.error()));
      }
      const EditTarget place = places->back();
      if (place.holder == nullptr || place.value == nullptr) {
        return fail(codes::kEditPath, "only members and list items can be removed", {}, place.path);
      }
      auto& items = place.holder->items();
      const std::size_t was = items.size();
      const auto at = std::find_if(items.begin(), items.end(),
                                   [&](const auto& item) { return &item.value == place.value; });
      if (place.holder->kind() == JsonNode::Kind::list) {
        shift_exceptions(*place.holder, static_cast<std::size_t>(at - items.begin()), false);
      }
      items.erase(at);
      follow(place, was);
      if (places->size() == 1) {
        return {};
      }
    }
  }

  /// The names and numbers that lead to a list that was opened.
  static bool parts_to(JsonNode& node, const JsonNode& list, std::vector<std::string>& parts) {
    if (&node == &list) {
      return true;
    }
    if (!node.opened()) {
      return false;
    }
    auto& items = node.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      parts.push_back(node.kind() == JsonNode::Kind::list ? std::to_string(i) : items[i].name);
      if (parts_to(items[i].value, list, parts)) {
        return true;
      }
      parts.pop_back();
    }
    return false;
  }

  /// What the layout says of single items goes by their numbers.
  void shift_exceptions(const JsonNode& list, std::size_t index, bool grows) {
    std::vector<std::string> parts;
    JsonNode* layout = tree.root().find("$layout");
    JsonNode* node = layout == nullptr ? nullptr : layout->find("exceptions");
    if (node == nullptr || !parts_to(tree.root(), list, parts)) {
      return;
    }
    for (const auto& part : parts) {
      node = node == nullptr ? nullptr : node->find(part);
    }
    if (node == nullptr || node->kind() != JsonNode::Kind::object) {
      return;
    }
    auto& items = node->items();
    for (auto item = items.begin(); item != items.end();) {
      const auto number = parse_whole(item->name);
      if (number == index && !grows) {
        item = items.erase(item);
        continue;
      }
      if (number && *number >= index) {
        item->name = std::to_string(grows ? *number + 1 : *number - 1);
      }
      ++item;
    }
  }

  Result<EditTarget> one(std::string_view path) {
    return find(path).and_then([&](const std::vector<EditTarget>& places) -> Result<EditTarget> {
      if (places.size() > 1) {
        return fail(codes::kEditPath,
                    "the path matches " + std::to_string(places.size()) + " places, not one", {},
                    std::string(path));
      }
      return places.front();
    });
  }

  Result<void> copy(std::string_view from, std::string_view to) {
    return one(from).and_then([&](const EditTarget& source) -> Result<void> {
      if (source.value == nullptr) {
        return fail(codes::kEditPath, "nothing at this path", {}, source.path);
      }
      const JsonNode value = *source.value;
      return one(to).and_then([&](const EditTarget& target) { return insert(target, value); });
    });
  }

  Result<void> calculate(const EditTarget& place, char word, std::string_view operand) {
    const std::string now = place.value == nullptr ? "" : place.value->written();
    std::int64_t left = 0;
    std::int64_t right = 0;
    const auto whole = [](std::string_view text, std::int64_t& value) {
      const std::size_t digits = text.substr(0, 2) == "0x" ? 0 : 1;
      return digits == 1 && !text.empty() &&
             parse_integer(text.data(), text.data() + text.size(), value) == text.data() + text.size();
    };
    std::string result;
    if (whole(now, left) && whole(operand, right)) {
      const auto a = static_cast<std::uint64_t>(left);
      const auto b = static_cast<std::uint64_t>(right);
      const std::uint64_t value = word == '|'   ? a | b
                                  : word == '&' ? a & b
                                  : word == '^' ? a ^ b
                                  : word == '+' ? a + b
                                  : word == '-' ? a - b
                                                : a * b;
      result = std::to_string(static_cast<std::int64_t>(value));
    } else {
      double real = 0;
      double other = 0;
      const bool bits = word == '|' || word == '&' || word == '^';
      if (bits || !parse_double(now, real) || !parse_double(operand, other)) {
        return fail(codes::kEditPath,
                    "cannot calculate " + now.substr(0, 40) + " " + word + " " + std::string(operand) +
                        (bits ? "; expected whole numbers" : "; expected numbers"),
                    {}, place.path);
      }
      const double value = word == '+' ? real + other : word == '-' ? real - other : real * other;
      if (!std::isfinite(value)) {
        return fail(codes::kEditPath, "the result is too large for a number", {}, place.path);
      }
      append_number(result, value);
    }
    auto value = tree.value(result);
    if (value) {
      place.value->replace(std::move(*value));
    }
    return {};
  }

  Result<Built> build() const {
    CopiedTexts copied{*first};
    std::string text;
    tree.root().write(text, &copied);
    return has_layout ? lay_bytes(text).and_then(assemble)
                      : build_edited(*first, text, copied.parts, inspection_of(original));
  }
};

Editor::Editor(const AnyDocument& document) : state_(std::make_unique<State>(document)) {}
Editor::Editor(Editor&&) noexcept = default;
Editor& Editor::operator=(Editor&&) noexcept = default;
Editor::~Editor() = default;

Result<void> Editor::learn(const AnyDocument& other) {
  if (!state_->original.same_type(other)) {
    return fail(codes::kFormatUnsupported, "items of another format cannot be inserted");
  }
  return state_->change([&]() -> Result<void> {
    JsonNode* layout_node = state_->tree.root().find("$layout");
    const std::string text = layout_node->written();
    const auto value = parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    auto layout = value.and_then(layout_from_json);
    if (!layout) {
      return tl::unexpected<Error>(std::move(layout.error()));
    }
    unite(*layout, layout_of_any(other));
    return state_->tree.value(layout_json(*layout)).map([&](JsonNode&& united) {
      *layout_node->find("document") = *united.find("document");
    });
  });
}

Result<std::vector<Editor::Field>> Editor::get(std::string_view path) {
  return state_->find(path).map([](const std::vector<EditTarget>& places) {
    std::vector<Field> fields;
    for (const auto& place : places) {
      fields.push_back({place.path, place.value == nullptr ? "" : place.value->written()});
    }
    return fields;
  });
}

Result<void> Editor::set(std::string_view path, std::string_view value) {
  return state_->change([&] {
    return state_->find(path).and_then([&](std::vector<EditTarget> places) -> Result<void> {
      for (auto& place : places) {
        if (auto done = state_->put(place, value); !done) {
          return done;
        }
      }
      return {};
    });
  });
}

Result<void> Editor::calculate(std::string_view path, char word, std::string_view number) {
  return state_->change([&] {
    return state_->find(path).and_then([&](const std::vector<EditTarget>& places) -> Result<void> {
      for (const auto& place : places) {
        if (auto done = state_->calculate(place, word, number); !done) {
          return done;
        }
      }
      return {};
    });
  });
}

Result<void> Editor::add(std::string_view path, std::string_view value) {
  return state_->change([&] {
    return state_->one(path).and_then([&](const EditTarget& place) -> Result<void> {
      auto& tree = state_->tree;
      JsonNode* like = place.value;
      auto node = tree.value(value_text(value, like));
      if (!node) {
        return fail(
            codes::kEditPath,
            std::string(value) + " is not a value; expected a number, a quoted string, a list or an object",
            {}, place.path);
      }
      return state_->insert(place, std::move(*node));
    });
  });
}

Result<void> Editor::remove(std::string_view path) {
  return state_->change([&] { return state_->take_away(path); });
}

Result<void> Editor::copy(std::string_view from, std::string_view to) {
  return state_->change([&] { return state_->copy(from, to); });
}

Result<void> Editor::move(std::string_view from, std::string_view to) {
  return state_->change([&]() -> Result<void> {
    const auto source = state_->one(from);
    if (!source) {
      return tl::unexpected<Error>(source.error());
    }
    if (source->value == nullptr || source->holder == nullptr ||
        source->holder->kind() != JsonNode::Kind::list) {
      return fail(codes::kEditPath, "only list items can be moved", {}, source->path);
    }
    JsonNode value = *source->value;
    auto target = state_->one(to);
    if (!target) {
      return tl::unexpected<Error>(target.error());
    }
    if (target->holder == nullptr || target->holder->kind() != JsonNode::Kind::list) {
      return fail(codes::kEditPath, "items can be moved into lists only", {}, target->path);
    }
    if (target->holder != source->holder) {
      auto copied = state_->insert(*target, std::move(value));
      return copied ? state_->take_away(from) : copied;
    }
    // Within one list the place is counted when the item is gone.
    auto& items = source->holder->items();
    const auto index_of = [&](const JsonNode* node) {
      return std::find_if(items.begin(), items.end(), [&](const auto& item) { return &item.value == node; }) -
             items.begin();
    };
    const auto at = index_of(source->value);
    const auto place =
        std::min<std::ptrdiff_t>(index_of(target->value), static_cast<std::ptrdiff_t>(items.size()) - 1);
    items.erase(items.begin() + at);
    items.insert(items.begin() + place, {"", std::move(value)});
    return {};
  });
}

Result<void> Editor::patch(std::string_view json) {
  return state_->change([&] {
    return apply_json_patch(state_->tree, json).map([&] {
      state_->has_layout = state_->has_layout || json.find("\"/$layout") != std::string_view::npos;
    });
  });
}

Result<void> Editor::edit(std::string_view text) {
  const auto words = [&](std::string_view command) {
    std::string_view rest = text.substr(command.size());
    // A blank within brackets belongs to a name.
    std::size_t depth = 0;
    std::size_t at = 0;
    for (; at < rest.size() && (depth > 0 || rest[at] != ' '); ++at) {
      depth += rest[at] == '[' ? 1U : 0U;
      depth -= rest[at] == ']' && depth > 0 ? 1U : 0U;
    }
    return std::pair(rest.substr(0, at), at < rest.size() ? rest.substr(at + 1) : std::string_view());
  };
  const auto begins = [&](std::string_view word) { return text.substr(0, word.size()) == word; };
  if (begins("remove ")) {
    return remove(text.substr(7));
  }
  if (begins("add ")) {
    const auto [path, value] = words("add ");
    return add(path, value);
  }
  if (begins("copy ")) {
    const auto [from, to] = words("copy ");
    return copy(from, to);
  }
  if (begins("move ")) {
    const auto [from, to] = words("move ");
    return move(from, to);
  }
  std::size_t depth = 0;
  std::size_t at = 0;
  for (; at < text.size() && (depth > 0 || text[at] != '='); ++at) {
    depth += text[at] == '[' ? 1U : 0U;
    depth -= text[at] == ']' && depth > 0 ? 1U : 0U;
  }
  if (at == text.size() || at == 0) {
    return fail(
        codes::kEditPath,
        "expected PATH=VALUE, PATH|=NUMBER, add PATH VALUE, remove PATH, copy FROM TO or move FROM TO", {},
        std::string(text));
  }
  const std::string_view value = text.substr(at + 1);
  constexpr std::string_view kWords = "|&^+-*";
  if (kWords.find(text[at - 1]) != std::string_view::npos) {
    return calculate(text.substr(0, at - 1), text[at - 1], value);
  }
  return set(text.substr(0, at), value);
}

std::size_t Editor::edits() const { return state_->before.size(); }

bool Editor::undo() {
  if (state_->before.empty()) {
    return false;
  }
  state_->tree = std::move(state_->before.back().tree);
  state_->has_layout = state_->before.back().has_layout;
  state_->before.pop_back();
  return true;
}

std::string Editor::json() const { return state_->tree.written(); }

Result<AnyDocument> Editor::document(const ReadOptions& options, Diagnostics& diagnostics) const {
  const auto read = [&](const Built& built) { return read_built(built, options, diagnostics); };
  return state_->build().and_then(read).map_error([](Error error) {
    // Nobody sees the text that has these lines.
    const auto text = error.message.find(": ");
    const bool placed = text != std::string::npos && !error.message.empty() && error.message[0] >= '0' &&
                        error.message[0] <= '9';
    error.message = placed ? error.message.substr(text + 2) : error.message;
    error.offset.reset();
    return error;
  });
}

std::string diff_patch(const AnyDocument& left, const AnyDocument& right) {
  JsonTree a = tree_of(left);
  JsonTree b = tree_of(right);
  return json_patch(a, b);
}

namespace {

/// The dumps of a merge: of the base, of ours and of theirs. What can stand in either has a type in each.
std::array<JsonTree, 3> trees_to_merge(const AnyDocument& base, const AnyDocument& ours,
                                       const AnyDocument& theirs) {
  std::array<JsonTree, 3> trees = {tree_of(base), tree_of(ours), tree_of(theirs)};
  Layout layout = layout_of_any(ours);
  unite(layout, layout_of_any(theirs));
  unite(layout, layout_of_any(base));
  for (auto& tree : trees) {
    JsonNode united = *tree.value(layout_json(layout));
    *tree.root().find("$layout")->find("document") = *united.find("document");
  }
  return trees;
}

Merged merged_of(AnyDocument document, const std::vector<std::string>& conflicts) {
  Merged merged{std::move(document), {}};
  for (const auto& path : conflicts) {
    merged.conflicts.push_back({codes::kMergeConflict, {}, path, "both sides changed it differently"});
  }
  return merged;
}

/// Both sides made parts longer or shorter: those of theirs go to their places in ours, and what leads to
/// them follows.
Result<Merged> merge_into_ours(std::array<JsonTree, 3>& trees, const AnyDocument& ours,
                               const AnyDocument& theirs) {
  const std::string& text = trees[2].parsed();
  std::set<const char*> following;
  for (const std::size_t at : following_numbers(text, inspection_of(theirs))) {
    following.insert(text.data() + at);
  }
  if (following.empty()) {
    return fail(codes::kBuildDiffers, "items cannot be moved in this format");
  }
  for (JsonTree* tree : {&trees.front(), &trees.back()}) {
    *tree->root().find("$layout") = *trees[1].root().find("$layout");
  }
  const TreeMerge merge = merge_trees(trees[0].root(), trees[1].root(), trees[2].root(), &following);
  CopiedTexts copied{trees[1].parsed()};
  std::string edited;
  merge.result.write(edited, &copied);
  return build_edited(trees[1].parsed(), edited, copied.parts, inspection_of(ours))
      .and_then([](const Built& built) { return read_built(built, {}, Diagnostics::discarded()); })
      .map([&](AnyDocument&& document) { return merged_of(std::move(document), merge.conflicts); });
}

/// What rules find in the merged document and in neither side: each side is whole by itself, and both
/// together are not, as where one refers to what the other took away.
void add_broken_together(Merged& merged, const AnyDocument& ours, const AnyDocument& theirs) {
  const auto holds = [](const Diagnostics& all, const Diagnostic& finding) {
    return std::any_of(all.items().begin(), all.items().end(), [&](const Diagnostic& one) {
      return one.code == finding.code && one.path == finding.path;
    });
  };
  const auto number = [](const Diagnostics& all, const Diagnostic& finding) {
    return std::count_if(all.items().begin(), all.items().end(),
                         [&](const Diagnostic& one) { return one.code == finding.code; });
  };
  const Diagnostics of_ours = validate(ours);
  const Diagnostics of_theirs = validate(theirs);
  const Diagnostics now = validate(*merged.document);
  for (const Diagnostic& finding : now.items()) {
    const bool known = holds(of_ours, finding) || holds(of_theirs, finding) ||
                       number(now, finding) <= std::max(number(of_ours, finding), number(of_theirs, finding));
    if (finding.code.severity >= Severity::severe && !known) {
      merged.conflicts.push_back({codes::kMergeConflict,
                                  {},
                                  finding.path,
                                  "the changes of both sides are incompatible: " + finding.message});
    }
  }
}

}  // namespace

Result<Merged> merge_documents(const AnyDocument& base, const AnyDocument& ours, const AnyDocument& theirs) {
  if (!base.same_type(ours) || !base.same_type(theirs)) {
    return fail(codes::kFormatUnsupported, "files of different formats cannot be merged");
  }
  auto trees = trees_to_merge(base, ours, theirs);
  const TreeMerge merge = merge_trees(trees[0].root(), trees[1].root(), trees[2].root());
  auto merged = build_any(merge.result.written()).map([&](AnyDocument&& document) {
    return merged_of(std::move(document), merge.conflicts);
  });
  if (!merged || !merged->conflicts.empty()) {
    auto moved = merge_into_ours(trees, ours, theirs);
    const bool better = moved && (!merged || moved->conflicts.size() < merged->conflicts.size());
    if (better) {
      merged = std::move(moved);
    }
  }
  return std::move(merged).map([&](Merged&& result) {
    add_broken_together(result, ours, theirs);
    return std::move(result);
  });
}

namespace {

/// "0 to 255" of a scalar or of an array's.
std::string range_of(const LeafType& type) {
  switch (type.form) {
    case LeafType::Form::fixed_text:
      return "at most " + std::to_string(type.size) + " bytes";
    case LeafType::Form::value:
      break;
    default:
      return "";
  }
  switch (type.kind) {
    case ScalarKind::u8:
      return "0 to 255";
    case ScalarKind::i8:
      return "-128 to 127";
    case ScalarKind::u16:
      return "0 to 65535";
    case ScalarKind::i16:
      return "-32768 to 32767";
    case ScalarKind::u32:
      return "0 to 4294967295";
    case ScalarKind::i32:
      return "-2147483648 to 2147483647";
    case ScalarKind::u64:
      return "0 to 18446744073709551615";
    case ScalarKind::i64:
      return "-9223372036854775808 to 9223372036854775807";
    default:
      return "";
  }
}

/// Walks the types of a document together with the document, for a value of each.
class FieldList {
 public:
  std::vector<SettableField> run(const Layout& layout, JsonNode& document) {
    walk(layout.document, &document, "");
    return std::move(fields_);
  }

 private:
  void add(const LeafType& type, JsonNode* node, const std::string& path) {
    const auto known = [&](const SettableField& field) { return field.path == path; };
    if (path.empty() || std::any_of(fields_.begin(), fields_.end(), known)) {
      return;
    }
    constexpr std::size_t kShown = 60;
    std::string value = node == nullptr ? "" : node->written();
    if (value.size() > kShown) {
      value.resize(value.find_last_of(" ,", kShown) == std::string::npos ? kShown
                                                                         : value.find_last_of(" ,", kShown));
      value = to_utf8(value) + " …";
    }
    fields_.push_back({path, leaf_type_text(type), range_of(type), std::move(value)});
  }

  /// `bare`: the list around goes without saying.
  void walk(const LayoutType& type, JsonNode* node, const std::string& path, bool bare = false) {
    if (type.kind == LayoutType::Kind::leaf) {
      if (!type.leaf.hidden() && type.leaf.form != LeafType::Form::tag) {
        add(type.leaf, node, path);
      }
      return;
    }
    for (const auto& member : type.members) {
      JsonNode* value = node == nullptr ? nullptr : node->find(member.name);
      const bool many = member.type.kind == LayoutType::Kind::list ||
                        (member.type.kind == LayoutType::Kind::leaf && member.type.leaf.array);
      const bool hidden = many && (member.name == "items" || is_transparent(member.name));
      walk(member.type, value, hidden ? path : joined(path, member.name), hidden);
    }
    for (std::size_t i = 0; i < type.items.size(); ++i) {
      const std::string tag = tag_of(type.items[i]);
      walk(type.items[i], example(type.items[i], tag, node),
           tag.empty() ? path + "[*]"
           : bare      ? joined(path, tag)
                       : path + bracketed(tag));
    }
  }

  static std::string tag_of(const LayoutType& type) {
    for (const auto& member : type.members) {
      if (member.type.kind == LayoutType::Kind::leaf && member.type.leaf.form == LeafType::Form::tag) {
        return member.name == "tag" ? member.type.leaf.bytes : "";
      }
    }
    return "";
  }

  /// The first item of a list that is of this type.
  static JsonNode* example(const LayoutType& type, const std::string& tag, JsonNode* list) {
    if (list == nullptr) {
      return nullptr;
    }
    for (auto& item : list->items()) {
      const bool has_all = std::all_of(type.members.begin(), type.members.end(), [&](const auto& member) {
        const bool hidden = member.type.kind == LayoutType::Kind::leaf && member.type.leaf.hidden();
        return hidden || item.value.find(member.name) != nullptr;
      });
      if (has_all && (tag.empty() || item_tag(item.value) == tag)) {
        return &item.value;
      }
    }
    return nullptr;
  }

  std::vector<SettableField> fields_;
};

}  // namespace

std::vector<SettableField> settable_fields(const AnyDocument& document) {
  JsonTree tree = tree_of(document);
  return FieldList().run(layout_of_any(document), tree.root());
}

}  // namespace thaw
