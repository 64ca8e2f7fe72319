#include "patch/json_tree.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "describe/json_writer.hpp"
#include "patch/json_scan.hpp"

#include <algorithm>
#include <optional>

namespace thaw {
namespace {

/// Where a value in front of these blanks ends.
std::string_view trimmed(std::string_view text) {
  const auto end = text.find_last_not_of(" \n\r\t");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

bool is_number_letter(char c) { return (c >= '0' && c <= '9') || c == '-'; }

/// Strings with good escapes, numbers and the three words; no level opens what is none.
bool is_atom(std::string_view text) {
  if (text.empty()) {
    return false;
  }
  if (text.front() == '"') {
    return json_string(text).has_value();
  }
  double value = 0;
  return text == "true" || text == "false" || text == "null" ||
         (is_number_letter(text.front()) && parse_double(text, value));
}

class PatchWriter {
 public:
  std::string run(JsonTree& left, JsonTree& right) {
    compare(left.root(), right.root());
    return out_.empty() ? "[]\n" : "[\n" + out_ + "\n]\n";
  }

 private:
  void operation(std::string_view word, const JsonNode* value) {
    out_ += out_.empty() ? R"(  {"op": ")" : ",\n  {\"op\": \"";
    out_ += word;
    out_ += R"(", "path": )";
    append_json_string(out_, json_pointer(path_));
    if (value != nullptr) {
      out_ += ", \"value\": ";
      value->write(out_);
    }
    out_ += '}';
  }

  void compare(JsonNode& left, JsonNode& right) {
    if (!left.opened() && !right.opened() && left.source() == right.source()) {
      return;
    }
    // The order of a type's members counts, and that of the text between elements.
    const bool whole = path_.size() == 2 && path_[0] == "$layout" && path_[1] != "exceptions";
    if (whole || left.kind() != right.kind() || left.kind() == JsonNode::Kind::atom) {
      operation("replace", &right);
    } else if (left.kind() == JsonNode::Kind::object) {
      members(left, right);
    } else {
      list(left, right);
    }
  }

  void at(std::string name, JsonNode& left, JsonNode& right) {
    path_.push_back(std::move(name));
    compare(left, right);
    path_.pop_back();
  }

  void at(std::string name, std::string_view word, const JsonNode* value) {
    path_.push_back(std::move(name));
    operation(word, value);
    path_.pop_back();
  }

  void members(JsonNode& left, JsonNode& right) {
    for (auto& member : left.items()) {
      if (JsonNode* other = right.find(member.name)) {
        at(member.name, member.value, *other);
      } else {
        at(member.name, "remove", nullptr);
      }
    }
    for (auto& member : right.items()) {
      if (left.find(member.name) == nullptr) {
        at(member.name, "add", &member.value);
      }
    }
  }

  static bool same(const JsonNode& a, const JsonNode& b) { return a.source() == b.source(); }

  void list(JsonNode& left, JsonNode& right) {
    auto& a = left.items();
    auto& b = right.items();
    std::size_t first = 0;
    while (first < std::min(a.size(), b.size()) && same(a[first].value, b[first].value)) {
      ++first;
    }
    std::size_t after = 0;  // as many at the end
    while (after < std::min(a.size(), b.size()) - first &&
           same(a[a.size() - 1 - after].value, b[b.size() - 1 - after].value)) {
      ++after;
    }
    if (mostly_other_atoms(a, b, first, after)) {
      operation("replace", &right);
      return;
    }
    const std::size_t left_end = a.size() - after;
    const std::size_t right_end = b.size() - after;
    const std::size_t common = std::min(left_end, right_end);
    for (std::size_t i = first; i < common; ++i) {
      at(std::to_string(i), a[i].value, b[i].value);
    }
    for (std::size_t i = left_end; i > std::max(common, first); --i) {
      at(std::to_string(i - 1), "remove", nullptr);
    }
    for (std::size_t i = std::max(common, first); i < right_end; ++i) {
      at(std::to_string(i), "add", &b[i].value);
    }
  }

  /// One replacement says it in less than one for each number.
  static bool mostly_other_atoms(const std::vector<JsonNode::Item>& a, const std::vector<JsonNode::Item>& b,
                                 std::size_t first, std::size_t after) {
    constexpr std::size_t kFew = 4;
    const std::size_t changed = std::max(a.size(), b.size()) - first - after;
    return changed > kFew && changed * 2 > b.size() && !b.empty() &&
           b.front().value.kind() == JsonNode::Kind::atom;
  }

  std::string out_;
  std::vector<std::string> path_;
};

/// Carries out the operations of a patch.
class PatchRun {
 public:
  explicit PatchRun(JsonTree& tree) : tree_(tree) {}

  Result<void> run(std::string_view patch) {
    auto list = JsonTree::parse(std::string(patch));
    if (!list) {
      return tl::unexpected<Error>(std::move(list.error()));
    }
    if (list->root().kind() != JsonNode::Kind::list) {
      return fail(codes::kEditPatch, "not a patch: expected a list of operations (RFC 6902)");
    }
    std::size_t number = 0;
    for (auto& item : list->root().items()) {
      if (auto done = operation(item.value); !done) {
        done.error().message = "operation " + std::to_string(number) + ": " + done.error().message;
        return done;
      }
      ++number;
    }
    return {};
  }

 private:
  struct JsonLocation {
    JsonNode* holder = nullptr;
    std::string name;
    std::size_t index = 0;  ///< in a list; its end for "-"
    JsonNode* value = nullptr;
  };

  static tl::unexpected<Error> wrong(const std::string& path, std::string message) {
    return fail(codes::kEditPatch, std::move(message), {}, path);
  }

  static std::optional<std::size_t> index_of(const std::string& part, std::size_t count) {
    if (part == "-") {
      return count;
    }
    const auto whole = parse_whole(part);
    const bool clean = part == "0" || (!part.empty() && part.front() != '0');
    return whole && clean && *whole <= count ? std::optional<std::size_t>(*whole) : std::nullopt;
  }

  Result<JsonLocation> find(const std::string& pointer) {
    JsonLocation place;
    place.value = &tree_.root();
    if (!pointer.empty() && pointer.front() != '/') {
      return wrong(pointer, "a JSON pointer must begin with /");
    }
    for (const auto& part : pointer_parts(pointer)) {
      if (place.value == nullptr) {
        return wrong(pointer, "nothing at this path");
      }
      place = {place.value, part, 0, nullptr};
      if (place.holder->kind() == JsonNode::Kind::list) {
        const auto index = index_of(part, place.holder->count());
        if (!index) {
          return wrong(pointer, "\"" + part + "\" is not an index into the list, which has " +
                                    counted(place.holder->count(), "item"));
        }
        place.index = *index;
        place.value = *index < place.holder->count() ? &place.holder->items()[*index].value : nullptr;
      } else if (place.holder->kind() == JsonNode::Kind::object) {
        place.value = place.holder->find(part);
      }
    }
    return place;
  }

  Result<JsonLocation> existing(const std::string& pointer) {
    return find(pointer).and_then([&](const JsonLocation& place) -> Result<JsonLocation> {
      return place.value != nullptr ? Result<JsonLocation>(place) : wrong(pointer, "nothing at this path");
    });
  }

  Result<void> add(const std::string& pointer, JsonNode value) {
    const auto place = find(pointer);
    if (!place) {
      return tl::unexpected<Error>(place.error());
    }
    if (place->holder == nullptr) {
      tree_.root() = std::move(value);
    } else if (place->holder->kind() == JsonNode::Kind::list) {
      auto& items = place->holder->items();
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(place->index), {"", std::move(value)});
    } else if (place->value != nullptr) {
      place->value->replace(std::move(value));
    } else if (place->holder->kind() == JsonNode::Kind::object) {
      place->holder->items().push_back({place->name, std::move(value)});
    } else {
      return wrong(pointer, "the path leads into a value that is neither an object nor a list");
    }
    return {};
  }

  Result<JsonNode> remove(const std::string& pointer) {
    const auto place = existing(pointer);
    if (!place) {
      return tl::unexpected<Error>(place.error());
    }
    if (place->holder == nullptr) {
      return wrong(pointer, "the document itself cannot be removed");
    }
    auto& items = place->holder->items();
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const auto& item) { return &item.value == place->value; });
    JsonNode value = std::move(found->value);
    items.erase(found);
    return value;
  }

  Result<void> operation(JsonNode& node) {
    const auto text = [&](std::string_view name) {
      const JsonNode* member = node.find(name);
      return member == nullptr ? std::string() : member->text();
    };
    const std::string op = text("op");
    const std::string path = text("path");
    const std::string from = text("from");
    if (node.find("path") == nullptr) {
      return wrong("", "the operation has no member \"path\"");
    }
    if ((op == "move" || op == "copy") && node.find("from") == nullptr) {
      return wrong(path, "\"" + op + R"(" needs the member "from")");
    }
    const bool takes_value = op == "add" || op == "replace" || op == "test";
    JsonNode value;
    if (takes_value) {
      JsonNode* stated = node.find("value");
      if (stated == nullptr) {
        return wrong(path, "\"" + op + R"(" needs the member "value")");
      }
      auto parsed = tree_.value(stated->written());
      if (!parsed) {
        return tl::unexpected<Error>(std::move(parsed.error()));
      }
      value = std::move(*parsed);
    }
    return carry_out(op, path, from, std::move(value));
  }

  Result<void> carry_out(const std::string& op, const std::string& path, const std::string& from,
                         JsonNode value) {
    if (op == "add") {
      return add(path, std::move(value));
    }
    if (op == "remove") {
      return remove(path).map([](const JsonNode& /*gone*/) {});
    }
    if (op == "move") {
      if (path.substr(0, from.size() + 1) == from + "/") {
        return wrong(path, "a value cannot be moved into itself");
      }
      return remove(from).and_then([&](JsonNode&& removed) { return add(path, std::move(removed)); });
    }
    if (op == "copy") {
      return existing(from).and_then([&](const JsonLocation& place) { return add(path, *place.value); });
    }
    if (op != "replace" && op != "test") {
      return wrong(path,
                   "unknown operation \"" + op + "\"; expected add, remove, replace, move, copy or test");
    }
    return existing(path).and_then([&](const JsonLocation& place) -> Result<void> {
      if (op == "replace") {
        place.value->replace(std::move(value));
      } else if (!same_json(*place.value, value)) {
        return wrong(path, "the test failed: the value is " + place.value->written().substr(0, 80) +
                               " instead of " + value.written().substr(0, 80));
      }
      return {};
    });
  }

  JsonTree& tree_;
};

}  // namespace

JsonNode::JsonNode(std::string_view text) : source_(text), origin_(text.data()) {
  if (!text.empty() && text.front() == '{') {
    kind_ = Kind::object;
  } else if (!text.empty() && text.front() == '[') {
    kind_ = Kind::list;
  }
}

std::vector<JsonNode::Item>& JsonNode::items() {
  if (opened_ || kind_ == Kind::atom) {
    return items_;
  }
  opened_ = true;
  const char* at = source_.data() + 1;
  const char* end = source_.data() + source_.size();
  while (true) {
    at = skip_blanks(at, end);
    if (at == end || *at == '}' || *at == ']') {
      return items_;
    }
    if (*at == ',') {
      at = skip_blanks(at + 1, end);
    }
    Item item;
    if (kind_ == Kind::object) {
      const char* after = skip_json_string(at, end);
      item.name = json_string({at, static_cast<std::size_t>(after - at)}).value_or("");
      at = skip_blanks(skip_blanks(after, end) + 1, end);
    }
    const char* wrong = nullptr;
    const char* after = skip_json(at, end, wrong);
    if (after == nullptr) {
      return items_;  // was looked at when the tree was made
    }
    item.value = JsonNode({at, static_cast<std::size_t>(after - at)});
    items_.push_back(std::move(item));
    at = after;
  }
}

std::size_t JsonNode::count() { return items().size(); }

JsonNode* JsonNode::find(std::string_view name) {
  if (kind_ != Kind::object) {
    return nullptr;
  }
  auto& all = items();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Item& item) { return item.name == name; });
  return found == all.end() ? nullptr : &found->value;
}

std::string JsonNode::text() const {
  return kind_ == Kind::atom && !source_.empty() && source_.front() == '"' ? json_string(source_).value_or("")
                                                                           : "";
}

void JsonNode::replace(JsonNode&& value) {
  const char* origin = origin_;
  *this = std::move(value);
  origin_ = origin;
}

void JsonNode::write(std::string& out, CopiedTexts* copied) const {
  if (copied != nullptr && origin_ != nullptr) {
    const std::string_view text = copied->text;
    const bool inside =
        std::less_equal<>()(text.data(), origin_) && std::less<>()(origin_, text.data() + text.size());
    const bool replaced = origin_ != source_.data();
    if (inside) {
      copied->parts.push_back({out.size(), static_cast<std::size_t>(origin_ - text.data()),
                               opened_ || replaced ? 1 : source_.size(), replaced});
    }
  }
  if (!opened_) {
    out += source_;
    return;
  }
  out += kind_ == Kind::list ? '[' : '{';
  bool first = true;
  for (const Item& item : items_) {
    out += first ? "" : ", ";
    first = false;
    if (kind_ == Kind::object) {
      append_json_string(out, item.name);
      out += ": ";
    }
    item.value.write(out, copied);
  }
  out += kind_ == Kind::list ? ']' : '}';
}

std::string JsonNode::written() const {
  std::string text;
  write(text);
  return text;
}

Result<JsonNode> JsonTree::value(std::string text) {
  texts_->push_back(std::move(text));
  const std::string& stored = texts_->back();
  const char* end = stored.data() + stored.size();
  const char* begin = skip_blanks(stored.data(), end);
  const char* wrong = begin;
  const char* after = skip_json(begin, end, wrong);
  if (after != nullptr && skip_blanks(after, end) != end) {
    wrong = skip_blanks(after, end);
    after = nullptr;
  }
  const std::string_view found(begin, after == nullptr ? 0 : static_cast<std::size_t>(after - begin));
  const bool atom = !found.empty() && found.front() != '{' && found.front() != '[';
  if (after == nullptr || (atom && !is_atom(trimmed(found)))) {
    return fail(codes::kJsonMalformed, line_and_column(stored, wrong) + ": malformed JSON",
                static_cast<std::uint64_t>(wrong - stored.data()));
  }
  return JsonNode(found);
}

Result<JsonTree> JsonTree::parse(std::string text) {
  JsonTree tree;
  return tree.value(std::move(text)).map([&](JsonNode&& root) {
    tree.root_ = std::move(root);
    return std::move(tree);
  });
}

bool same_json(JsonNode& a, JsonNode& b) {
  if (a.kind() != b.kind()) {
    return false;
  }
  if (a.kind() == JsonNode::Kind::atom) {
    double left = 0;
    double right = 0;
    if (!a.text().empty() || !b.text().empty()) {
      return a.text() == b.text();
    }
    return a.source() == b.source() || (parse_double(a.source(), left) && parse_double(b.source(), right) &&
                                        !(left < right) && !(right < left));
  }
  if (a.count() != b.count()) {
    return false;
  }
  for (std::size_t i = 0; i < a.count(); ++i) {
    auto& item = a.items()[i];
    JsonNode* other = a.kind() == JsonNode::Kind::object ? b.find(item.name) : &b.items()[i].value;
    if (other == nullptr || !same_json(item.value, *other)) {
      return false;
    }
  }
  return true;
}

std::string json_pointer(const std::vector<std::string>& parts) {
  std::string pointer;
  for (const auto& part : parts) {
    pointer += '/';
    for (const char c : part) {
      if (c == '~' || c == '/') {
        pointer += c == '~' ? "~0" : "~1";
      } else {
        pointer += c;
      }
    }
  }
  return pointer;
}

std::vector<std::string> pointer_parts(std::string_view pointer) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      parts.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size() && !parts.empty()) {
      parts.back() += pointer[++i] == '0' ? '~' : '/';
    } else if (!parts.empty()) {
      parts.back() += pointer[i];
    }
  }
  return parts;
}

std::string json_patch(JsonTree& left, JsonTree& right) { return PatchWriter().run(left, right); }

Result<void> apply_json_patch(JsonTree& tree, std::string_view patch) {
  JsonTree copy = tree;
  return PatchRun(copy).run(patch).map([&] { tree = std::move(copy); });
}

}  // namespace thaw
