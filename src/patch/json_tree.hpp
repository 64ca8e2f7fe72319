// JSON as a tree that is opened only where somebody looks: what patches, edits and merges work on. A dump of
// millions of numbers costs what its text does.
#pragma once

#include <thaw/diagnostics.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thaw {

/// What of a text that is written stands in another.
struct CopiedText {
  std::size_t at;
  std::size_t from;  ///< in the other
  std::size_t size;
  bool replaced;  ///< another value stands here in the place of that
};
/// Notes what comes from a text.
struct CopiedTexts {
  std::string_view text;
  std::vector<CopiedText> parts = {};  ///< in their order
};

/// A value. Its text belongs to a JsonTree.
class JsonNode {
 public:
  enum class Kind : std::uint8_t { atom, object, list };
  struct Item;

  JsonNode() = default;
  explicit JsonNode(std::string_view text);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Members or items; none of an atom. Opens the value.
  std::vector<Item>& items();
  [[nodiscard]] std::size_t count();
  /// The member of a name, or null.
  JsonNode* find(std::string_view name);
  /// What an atom that is a text says; nothing for all else.
  [[nodiscard]] std::string text() const;
  /// As it stands; only of what was not opened.
  [[nodiscard]] std::string_view source() const { return source_; }
  [[nodiscard]] bool opened() const { return opened_; }

  /// Puts a value in place of this one, and remembers which that was.
  void replace(JsonNode&& value);

  void write(std::string& out, CopiedTexts* copied = nullptr) const;
  [[nodiscard]] std::string written() const;

 private:
  std::string_view source_;
  const char* origin_ = nullptr;  ///< the begin of what stood here first
  Kind kind_ = Kind::atom;
  bool opened_ = false;
  std::vector<Item> items_;
};

struct JsonNode::Item {
  std::string name;  ///< of a member
  JsonNode value;
};

/// A whole text. Copies share it.
class JsonTree {
 public:
  static Result<JsonTree> parse(std::string text);

  JsonNode& root() { return root_; }
  [[nodiscard]] const JsonNode& root() const { return root_; }
  /// A value from a text of its own, which has to be JSON.
  Result<JsonNode> value(std::string text);
  [[nodiscard]] std::string written() const { return root_.written(); }
  /// The text that it was parsed from.
  [[nodiscard]] const std::string& parsed() const { return texts_->front(); }

 private:
  std::shared_ptr<std::deque<std::string>> texts_ = std::make_shared<std::deque<std::string>>();
  JsonNode root_;
};

/// Whether both say the same: numbers by what they are, members in any order.
bool same_json(JsonNode& a, JsonNode& b);

/// "/chunks/0/name" of the parts of a pointer (RFC 6901), and back.
std::string json_pointer(const std::vector<std::string>& parts);
std::vector<std::string> pointer_parts(std::string_view pointer);

/// A JSON Patch (RFC 6902) that makes `right` of `left`.
std::string json_patch(JsonTree& left, JsonTree& right);

/// Applies a JSON Patch, or leaves the tree as it is.
Result<void> apply_json_patch(JsonTree& tree, std::string_view patch);

}  // namespace thaw
