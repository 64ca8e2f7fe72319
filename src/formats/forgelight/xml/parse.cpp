#include <thaw/codes.hpp>
#include <thaw/xml.hpp>

#include "bytes/text.hpp"
#include "bytes/utf8.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thaw::xml {
namespace {

std::uint32_t narrow(std::size_t value) { return static_cast<std::uint32_t>(value); }

constexpr std::size_t kDeepest = 256;
constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

bool is_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
         c == '-' || c == '.' || byte >= 0x80;
}

/// Steps through a text; the first failure stays.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool failed() const { return !failure_.empty(); }
  [[nodiscard]] bool done() const { return at_ >= text_.size() || failed(); }
  [[nodiscard]] std::size_t here() const { return at_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] bool is(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void fail(std::string message) {
    if (!failed()) {
      failure_ = std::move(message);
    }
  }
  void skip(std::size_t count) { at_ = std::min(at_ + count, text_.size()); }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    }
  }
  /// After the next `what`.
  void skip_through(std::string_view what, const char* inside) {
    const std::size_t found = text_.find(what, at_);
    if (found == std::string_view::npos) {
      fail(std::string(inside) + " is not terminated");
      return;
    }
    at_ = found + what.size();
  }
  void skip_to(char c) { at_ = std::min(text_.find(c, at_), text_.size()); }
  /// A document type, with what it defines in brackets.
  void skip_document_type() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == '>' && depth <= 0) {
        ++at_;
        return;
      }
    }
    fail("the document type is not terminated");
  }
  Span name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) {
      ++at_;
    }
    if (at_ == start) {
      fail("the name of an element or attribute is missing");
    }
    return {narrow(start), narrow(at_ - start)};
  }
  void expect(char c) {
    if (at_ >= text_.size() || text_[at_] != c) {
      fail(std::string("expected ") + c);
      return;
    }
    ++at_;
  }
  Span quoted() {
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') {
      fail("an attribute value is not quoted");
      return {};
    }
    const std::size_t start = ++at_;
    const std::size_t end = text_.find(quote, start);
    if (end == std::string_view::npos) {
      fail("an attribute value is not terminated");
      return {};
    }
    at_ = end + 1;
    return {narrow(start), narrow(end - start)};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string failure_;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : scanner_(text) { tree_.text = text; }

  Result<Tree> run() {
    if (scanner_.is(kByteOrderMark)) {
      scanner_.skip(kByteOrderMark.size());
    }
    while (!scanner_.done()) {
      step();
    }
    if (!open_.empty()) {
      scanner_.fail("the element " + std::string(tree_.name(open_.back())) + " is not terminated");
    } else if (tree_.elements.empty()) {
      scanner_.fail("the text has no element");
    }
    if (scanner_.failed()) {
      return fail(codes::kXmlSyntax, scanner_.failure(), scanner_.here());
    }
    return std::move(tree_);
  }

 private:
  void step() {
    if (scanner_.is("<!--")) {
      scanner_.skip_through("-->", "a comment");
    } else if (scanner_.is("<?")) {
      scanner_.skip_through("?>", "a processing instruction");
    } else if (scanner_.is("<![CDATA[")) {
      scanner_.skip_through("]]>", "a CDATA section");
    } else if (scanner_.is("<!")) {
      scanner_.skip_document_type();
    } else if (scanner_.is("</")) {
      end_tag();
    } else if (scanner_.is("<")) {
      start_tag();
    } else {
      scanner_.skip_to('<');
    }
  }

  void start_tag() {
    if (open_.empty() && !tree_.elements.empty()) {
      scanner_.fail("more than one root element");
      return;
    }
    if (open_.size() >= kDeepest) {
      scanner_.fail("elements are nested deeper than " + std::to_string(kDeepest) + " levels");
      return;
    }
    Element element;
    element.begin = narrow(scanner_.here());
    element.parent = open_.empty() ? Element::kNone : open_.back();
    scanner_.skip(1);
    element.name = scanner_.name();
    element.first_attribute = narrow(tree_.attributes.size());
    for (scanner_.skip_blanks(); !scanner_.done() && !scanner_.is(">") && !scanner_.is("/>");
         scanner_.skip_blanks()) {
      attribute();
    }
    element.attribute_count = narrow(tree_.attributes.size()) - element.first_attribute;
    const bool empty = scanner_.is("/");
    scanner_.skip(empty ? 1 : 0);
    scanner_.expect('>');
    element.end = narrow(scanner_.here());
    if (!empty) {
      open_.push_back(narrow(tree_.elements.size()));
    }
    tree_.elements.push_back(element);
  }

  void attribute() {
    Attribute attribute;
    attribute.name = scanner_.name();
    scanner_.skip_blanks();
    scanner_.expect('=');
    scanner_.skip_blanks();
    attribute.value = scanner_.quoted();
    if (!scanner_.failed()) {
      tree_.attributes.push_back(attribute);
    }
  }

  void end_tag() {
    scanner_.skip(2);
    const Span name = scanner_.name();
    scanner_.skip_blanks();
    scanner_.expect('>');
    if (open_.empty() || tree_.name(open_.back()) != tree_.slice(name)) {
      scanner_.fail("the end tag " + std::string(tree_.slice(name)) +
                    (open_.empty()
                         ? " has no start tag"
                         : " does not match the start tag " + std::string(tree_.name(open_.back()))));
      return;
    }
    tree_.elements[open_.back()].end = narrow(scanner_.here());
    open_.pop_back();
  }

  Scanner scanner_;
  Tree tree_;
  std::vector<std::uint32_t> open_;
};

/// False for what is no code point.
bool append_code_point(std::string& text, std::uint32_t code) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
    return false;
  }
  append_utf8(text, code);
  return true;
}

/// The entity between `&` and `;`.
bool append_entity(std::string& text, std::string_view name) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [entity, c] : kEntities) {
    if (name == entity) {
      text += c;
      return true;
    }
  }
  if (name.size() < 2 || name.front() != '#') {
    return false;
  }
  const bool hex = name[1] == 'x';
  std::uint32_t code = 0;
  const std::string_view digits = name.substr(hex ? 2 : 1);
  for (const char c : digits) {
    const unsigned base = hex ? 16 : 10;
    const unsigned digit = ascii::hex_value(c);
    if (digit >= base || code > 0x10FFFF) {
      return false;
    }
    code = code * base + digit;
  }
  return !digits.empty() && append_code_point(text, code);
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string unescape(std::string_view text) {
  constexpr std::size_t kLongest = 10;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end =
        text[at] == '&' ? text.substr(at, kLongest + 2).find(';') : std::string_view::npos;
    if (end != std::string_view::npos && append_entity(result, text.substr(at + 1, end - 1))) {
      at += end + 1;
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string Tree::attribute(std::uint32_t element, std::string_view name) const {
  const Element& owner = elements[element];
  for (std::size_t i = 0; i < owner.attribute_count; ++i) {
    const Attribute& attribute = attributes[owner.first_attribute + i];
    if (slice(attribute.name) == name) {
      return unescape(slice(attribute.value));
    }
  }
  return {};
}

std::uint32_t Tree::child(std::uint32_t parent, std::string_view name, std::uint32_t after) const {
  // Elements after the parent's end are none of its children.
  const std::uint32_t end = elements[parent].end;
  for (std::uint32_t i = (after == Element::kNone ? parent : after) + 1;
       i < elements.size() && elements[i].begin < end; ++i) {
    if (elements[i].parent == parent && (name.empty() || this->name(i) == name)) {
      return i;
    }
  }
  return Element::kNone;
}

Result<Tree> parse(std::string_view text) {
  if (text.size() >= ~std::uint32_t{0}) {
    return fail(codes::kInputTooLarge,
                "the XML has " + std::to_string(text.size()) + " bytes; thaw reads less than 4 GiB");
  }
  return Parser(text).run();
}

std::string_view root_name(std::string_view text) {
  Scanner scanner(text);
  if (scanner.is(kByteOrderMark)) {
    scanner.skip(kByteOrderMark.size());
  }
  for (scanner.skip_blanks(); scanner.is("<?") || scanner.is("<!"); scanner.skip_blanks()) {
    if (scanner.is("<!--")) {
      scanner.skip_through("-->", "");
    } else if (scanner.is("<?")) {
      scanner.skip_through("?>", "");
    } else {
      scanner.skip_document_type();
    }
    if (scanner.done()) {
      return {};
    }
  }
  if (!scanner.is("<")) {
    return {};
  }
  scanner.skip(1);
  const Span name = scanner.name();
  return text.substr(name.offset, name.size);
}

}  // namespace thaw::xml
