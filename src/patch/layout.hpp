// Layout of a document, which a dump leaves out and a file needs: the type of each field, and the tags, sizes
// and counts that follow from the rest. It is found from the events of an inspection, so that it holds for
// every format that has a description, and stands after the document as `$layout` (docs/library/json.md).
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/value.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// What one leaf is, as `u32`, `f32x3[]`, `text 80` or `u32 count of items`.
struct LeafType {
  /// In the order of `Form`'s words.
  enum class Form : std::uint8_t {
    value,       ///< scalars of `kind`, `components` of them, or an array
    rows,        ///< keyframes
    fixed_text,  ///< `size` bytes
    ended_text,  ///< ends with its NUL
    text,        ///< as long as it is
    tag,         ///< four characters, which distinguish one alternative of a list from another
    raw,         ///< bytes
    constant,    ///< bytes that always stand here
    repeated,    ///< the byte in front of it, again and again
    markup,      ///< of a text: what stands between its fields
    count,       ///< of what the member `target` holds
    size,        ///< of what follows it, to the end of `target`, or of the object
    whole_size,  ///< of the object, with this number
    stated,      ///< a number that nothing explains
  };

  Form form = Form::value;
  ScalarKind kind = ScalarKind::u8;
  bool array = false;
  bool reversed = false;  ///< of a tag: it stands backwards in the file
  unsigned components = 1;
  std::uint64_t size = 0;  ///< bytes of a fixed text or of a number
  std::string target = {};
  std::string bytes = {};  ///< of a tag or constant

  /// Not in the JSON of the document.
  [[nodiscard]] bool hidden() const { return form >= Form::constant; }
  [[nodiscard]] bool is_number() const { return form >= Form::count; }
};

struct LayoutMember;

/// The type of an object, a list or a leaf. A list's items are of one of its alternatives.
struct LayoutType {
  enum class Kind : std::uint8_t { leaf, object, list };

  Kind kind = Kind::leaf;
  LeafType leaf = {};
  std::vector<LayoutMember> members;
  std::vector<LayoutType> items;
  std::uint64_t key = 0;       ///< the same for types that are one alternative
  std::uint64_t name_key = 0;  ///< the same for what the document alone cannot distinguish
};

struct LayoutMember {
  std::string name;
  LayoutType type;
};

/// What holds of one place of the document only.
struct LayoutException {
  std::optional<std::uint64_t> at;        ///< its offset, where it does not follow what stands before it
  std::optional<std::uint64_t> repeated;  ///< times
  std::optional<std::size_t> type;        ///< which alternative it is
  std::optional<std::string> bytes;       ///< of a size or count that says something else
  std::map<std::string, LayoutException, std::less<>> members = {};
  std::uint64_t key = 0;  ///< of the alternative, until its place is known

  /// About this place itself.
  [[nodiscard]] bool says_something() const { return at || repeated || type || bytes; }
};

struct Layout {
  std::string format;
  LayoutType document;
  LayoutException exceptions;
  std::vector<std::string> markup;
  std::vector<std::string> lost;  ///< what of a text is not in the document, as it was reported
};

/// Of a document whose bytes these are; few of them are looked at.
Layout layout_of(const Inspection& inspection, const Storage& bytes, std::string_view format);

/// As JSON, and back.
std::string layout_json(const Layout& layout);
Result<Layout> layout_from_json(const Value& value);

/// Adds the alternatives of another layout of the format.
void unite(Layout& layout, const Layout& other);

/// "u32", "f32x3[]".
std::string leaf_type_text(const LeafType& type);

}  // namespace thaw
