#include "patch/edit_path.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "describe/naming.hpp"

#include <algorithm>
#include <array>

namespace thaw {
namespace {

struct Step {
  std::string text;
  bool selector = false;  ///< stood in brackets
};

Result<std::vector<Step>> steps_of(std::string_view path) {
  std::vector<Step> steps;
  std::size_t at = 0;
  while (at < path.size()) {
    if (path[at] == '[') {
      const std::size_t end = path.find(']', at);
      if (end == std::string_view::npos) {
        return fail(codes::kEditPath, "a bracket of the path is not closed", {}, std::string(path));
      }
      std::string_view text = path.substr(at + 1, end - at - 1);
      if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
        text = text.substr(1, text.size() - 2);
      }
      steps.push_back({std::string(text), true});
      at = end + 1;
      continue;
    }
    at += path[at] == '.' ? 1U : 0U;
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) {
      return fail(codes::kEditPath, "the path lacks a name", {}, std::string(path));
    }
    steps.push_back({std::string(path.substr(at, end - at)), false});
    at = end;
  }
  return steps;
}

bool is_transparent_member(std::string_view name) { return name == "items" || is_transparent(name); }

class Search {
 public:
  explicit Search(std::string_view path) : path_(path) {}

  Result<std::vector<EditTarget>> run(JsonNode& document) {
    auto steps = steps_of(path_);
    if (!steps) {
      return tl::unexpected<Error>(std::move(steps.error()));
    }
    std::vector<EditTarget> places = {{&document, nullptr, nullptr, {}, {}}};
    for (const Step& step : *steps) {
      std::vector<EditTarget> next;
      for (const EditTarget& place : places) {
        if (place.value != nullptr) {
          step.selector ? select(place, step.text, next) : enter(place, step.text, next);
        }
      }
      if (next.empty()) {
        return fail(codes::kEditPath, lost(places, step), {}, std::string(path_));
      }
      places = std::move(next);
    }
    return places;
  }

 private:
  static std::string lost(const std::vector<EditTarget>& places, const Step& step) {
    const std::string& reached = places.front().path;
    std::string text = reached.empty() ? "the document" : reached;
    text += step.selector ? " has no item [" + step.text + "]" : " has no \"" + step.text + "\"";
    JsonNode* node = places.front().value;
    if (!step.selector && node != nullptr && node->kind() == JsonNode::Kind::object) {
      std::string names;
      const auto add = [&](const std::string& name) {
        constexpr std::size_t kLong = 160;
        names += name.empty() || names.size() > kLong ? "" : (names.empty() ? "" : ", ") + name;
      };
      for (auto& member : node->items()) {
        if (is_transparent_member(member.name) && member.value.kind() == JsonNode::Kind::list &&
            member.name == "chunks") {
          for (auto& chunk : member.value.items()) {
            add(item_tag(chunk.value));
          }
        } else {
          add(member.name);
        }
      }
      text += names.empty() ? "" : "; it has " + names;
    }
    return text;
  }

  static void push(std::vector<EditTarget>& next, const EditTarget& from, JsonNode& holder,
                   JsonNode* holder_of, std::string holder_name, JsonNode* value, std::string path) {
    static_cast<void>(from);
    next.push_back({value, &holder, holder_of, std::move(holder_name), std::move(path)});
  }

  static void enter(const EditTarget& place, const std::string& name, std::vector<EditTarget>& next) {
    if (place.value->kind() != JsonNode::Kind::object) {
      return;
    }
    if (JsonNode* member = place.value->find(name)) {
      push(next, place, *place.value, place.holder, name, member, joined(place.path, name));
      return;
    }
    for (auto& member : place.value->items()) {
      if (!is_transparent_member(member.name) || member.value.kind() != JsonNode::Kind::list) {
        continue;
      }
      NamesByTag names;
      for (auto& item : member.value.items()) {
        const std::string tag = item_tag(item.value);
        if (!tag.empty() && names.next(tag) == name) {
          push(next, place, member.value, place.value, member.name, &item.value, joined(place.path, name));
          return;
        }
      }
    }
  }

  /// An item of the list, or of the list that an object is but for its head.
  static void select(const EditTarget& place, const std::string& which, std::vector<EditTarget>& next) {
    JsonNode* list = place.value;
    JsonNode* outer = place.holder;
    std::string name = place.holder_name;
    if (list->kind() == JsonNode::Kind::object) {
      outer = list;
      name = "items";
      list = list->find(name);
    }
    if (list == nullptr || list->kind() != JsonNode::Kind::list) {
      return;
    }
    const auto found = [&](JsonNode* value, const std::string& shown) {
      next.push_back({value, list, outer, name, place.path + bracketed(shown)});
    };
    if (which == "+") {
      found(nullptr, which);
      return;
    }
    auto& items = list->items();
    if (const auto index = parse_whole(which)) {
      if (*index < items.size()) {
        found(&items[*index].value, which);
      }
      return;
    }
    NamesByTag names;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string tag = item_tag(items[i].value);
      const bool tagged = !tag.empty() && names.next(tag) == which;
      if (which == "*" || tagged || item_name(items[i].value) == which) {
        found(&items[i].value, which == "*" ? std::to_string(i) : which);
        if (which != "*") {
          return;
        }
      }
    }
  }

  std::string_view path_;
};

}  // namespace

std::string item_tag(JsonNode& item) {
  const JsonNode* tag = item.find("tag");
  return tag == nullptr ? "" : tag->text();
}

std::string item_name(JsonNode& item) {
  if (item.kind() == JsonNode::Kind::atom) {
    return item.text();
  }
  const auto text_of = [](JsonNode* node) {
    JsonNode* inner = node == nullptr ? nullptr : node->find("text");
    return node == nullptr ? std::string() : inner != nullptr ? inner->text() : node->text();
  };
  for (const char* name : {"name", "path", "target", "element"}) {
    if (auto text = text_of(item.find(name)); !text.empty()) {
      return text;
    }
  }
  JsonNode* node = item.find("node");
  return node == nullptr ? "" : text_of(node->find("name"));
}

Result<std::vector<EditTarget>> find_targets(JsonNode& document, std::string_view path) {
  return Search(path).run(document);
}

}  // namespace thaw
