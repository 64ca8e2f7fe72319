#include <thaw/xml.hpp>

#include "bytes/text.hpp"
#include "describe/limits.hpp"

#include <map>
#include <set>

namespace thaw::xml {
namespace {

/// What the members of an element are called: as its attributes, but in UTF-8 and each differently.
class MemberNames {
 public:
  std::string take(std::string_view attribute) {
    const std::string stem = to_utf8(attribute);
    std::string name = stem;
    unsigned* number = nullptr;
    while (!used_.insert(name).second) {
      number = number == nullptr ? &numbers_.emplace(stem, 1U).first->second : number;
      name = stem + '#' + std::to_string(++*number);
    }
    return name;
  }

 private:
  std::set<std::string> used_ = {"element", "children"};
  std::map<std::string, unsigned> numbers_;  ///< the last that was given out, by what attributes are called
};

/// Shows a text in its order: elements and their attributes as they come by, the rest as structure.
class Walk {
 public:
  Walk(const Tree& tree, Inspector& inspector) : tree_(tree), inspector_(inspector) {}

  void run() {
    for (std::size_t i = 0; i < tree_.elements.size(); ++i) {
      close_before(tree_.elements[i].begin);
      open(i);
    }
    close_before(narrow(tree_.text.size()));
    between(narrow(tree_.text.size()));
  }

 private:
  struct Level {
    std::size_t element;
    bool children = false;  ///< their list has begun
  };

  static std::uint32_t narrow(std::size_t value) { return static_cast<std::uint32_t>(value); }

  void open(std::size_t index) {
    const Element& element = tree_.elements[index];
    if (!levels_.empty() && !levels_.back().children) {
      levels_.back().children = true;
      between(element.begin);
      inspector_.begin("children", true, at_);
    }
    between(element.begin);
    inspector_.begin(levels_.empty() ? "root" : "", false, element.begin);
    levels_.push_back({index});
    show("element", element.name);
    MemberNames names;
    for (std::size_t a = 0; a < element.attribute_count; ++a) {
      const Attribute& attribute = tree_.attributes[element.first_attribute + a];
      show(names.take(tree_.slice(attribute.name)), attribute.value);
    }
  }

  /// Ends all elements that end before this place.
  void close_before(std::uint32_t place) {
    while (!levels_.empty() && tree_.elements[levels_.back().element].end <= place) {
      if (levels_.back().children) {
        inspector_.end(at_);
      }
      between(tree_.elements[levels_.back().element].end);
      inspector_.end(at_);
      levels_.pop_back();
    }
  }

  void between(std::uint32_t end) {
    Leaf leaf;
    leaf.name = "markup";
    leaf.role = LeafRole::structure;
    if (end > at_) {
      emit(leaf, end);
    }
  }

  void show(std::string_view name, const Span& span) {
    between(span.offset);
    Leaf leaf;
    leaf.name = name;
    leaf.role = LeafRole::text;
    emit(leaf, span.offset + span.size);
  }

  void emit(Leaf& leaf, std::uint32_t end) {
    leaf.offset = at_;
    leaf.size = end - at_;
    leaf.data = tree_.text.data() + at_;
    at_ = end;
    inspector_.leaf(leaf);
  }

  const Tree& tree_;
  Inspector& inspector_;
  std::vector<Level> levels_;
  std::uint32_t at_ = 0;
};

}  // namespace

std::string_view text_of(const Document& document) { return as_text(document.text); }

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& /*diagnostics*/) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  Document document{Bytes(bytes.begin(), bytes.end())};
  return parse(text_of(document)).map([&](const Tree& /*tree*/) { return std::move(document); });
}

Bytes write(const Document& document) { return document.text; }

void inspect(const Document& document, Inspector& inspector) {
  if (const auto tree = parse(text_of(document))) {
    Walk(*tree, inspector).run();
    return;
  }
  Leaf leaf;
  leaf.name = "text";
  leaf.role = LeafRole::raw;
  leaf.array = true;
  leaf.count = leaf.size = document.text.size();
  leaf.data = document.text.data();
  inspector.leaf(leaf);
}

}  // namespace thaw::xml
