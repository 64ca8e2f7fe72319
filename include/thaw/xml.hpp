// XML that games use for descriptions: actors (adr.hpp) and material definitions (materials.hpp). The text
// is the document and is kept to the byte; elements and attributes are a view of it.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// XML that games use for descriptions.
namespace thaw::xml {

/// A file: nothing but its characters.
struct Document {
  Bytes text;

  friend bool operator==(const Document&, const Document&) = default;
};

/// Part of the text.
struct Span {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// A name and a value of a start tag.
struct Attribute {
  Span name;
  Span value;  ///< between its quotes, as written
};

/// In the order of their start tags: parents before children.
struct Element {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Span name;
  std::uint32_t begin = 0;  ///< of the start tag
  std::uint32_t end = 0;    ///< after the end tag
  std::uint32_t parent = kNone;
  std::uint32_t first_attribute = 0;  ///< in Tree::attributes
  std::uint32_t attribute_count = 0;
};

/// What stands in a text. The text has to outlive it.
struct Tree {
  std::string_view text;
  std::vector<Element> elements;
  std::vector<Attribute> attributes;

  /// The characters of a part.
  [[nodiscard]] std::string_view slice(const Span& span) const { return text.substr(span.offset, span.size); }
  /// The name of an element, as written.
  [[nodiscard]] std::string_view name(std::uint32_t element) const { return slice(elements[element].name); }
  /// The value of an attribute, entities resolved; empty if it is not there. Names are compared as written.
  [[nodiscard]] std::string attribute(std::uint32_t element, std::string_view name) const;
  /// The next child with this name after `after` (none: the first), or Element::kNone; any name if empty.
  [[nodiscard]] std::uint32_t child(std::uint32_t parent, std::string_view name,
                                    std::uint32_t after = Element::kNone) const;
};

/// Well-formed enough for an unambiguous tree: tags that match, quoted attributes, one root. Comments,
/// processing instructions, CDATA and document types are skipped; entities of a document type are not
/// resolved. The error is xml.syntax with its offset. Elements nest to 256, texts are shorter than 4 GiB.
Result<Tree> parse(std::string_view text);
/// A temporary text would not outlive the tree.
template <std::same_as<std::string> Text>
Result<Tree> parse(Text&& text) = delete;

/// `&lt;` and its like, and numbers; what is no entity stays as it is.
std::string unescape(std::string_view text);
/// The other way, for content and for attributes in either kind of quotes.
std::string escape(std::string_view text);

/// The name of the root element, from the beginning of a text; empty if it is no XML.
std::string_view root_name(std::string_view text);

/// Keeps the text if `parse` takes it. Errors: xml.syntax, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());
/// The file's bytes.
Bytes write(const Document& document);
/// Elements with their attributes; what stands between is structure.
void inspect(const Document& document, Inspector& inspector);

/// The file's characters as they stand, any byte order mark included; they live as long as the document.
std::string_view text_of(const Document& document);
/// Those of a temporary document would be gone.
std::string_view text_of(const Document&& document) = delete;

}  // namespace thaw::xml

#pragma GCC visibility pop
