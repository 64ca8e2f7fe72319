// Looking into a document: the same description that reads a structure also walks it, as a stream of events
// that know nothing of the format. Dump, tree, diff and the byte account are all consumers of these events.
#pragma once

#include <thaw/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

class Control;

/// The numbers that files are made of.
enum class ScalarKind : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

/// Bytes that one scalar takes.
std::size_t scalar_size(ScalarKind kind);

/// What the bytes of a leaf are.
enum class LeafRole : std::uint8_t {
  value,  ///< `count` elements of `components` scalars; a single scalar when both are 1 and `array` is false
  rows,   ///< keyframes: `count` rows of one i32 and `components` scalars of `kind`
  text,   ///< fixed-size text, `size` bytes
  tag,    ///< a FourCC that states which kind of object this is
  structure,  ///< tags, sizes and counts: understood, but derived from the rest
  raw,        ///< bytes that are kept and not understood
};

/// A field, an array or a run of raw bytes, as inspectors are shown it.
struct Leaf {
  /// UTF-8; within an object, whatever is not structure has a name of its own. Valid during the call.
  std::string_view name;
  /// Where the first byte lies when the document is written.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  LeafRole role = LeafRole::value;
  ScalarKind kind = ScalarKind::u8;
  bool array = false;
  unsigned components = 1;
  std::size_t count = 1;
  /// `size` bytes in host byte order, valid during the call.
  const void* data = nullptr;
};

/// Receives a document in file order.
class Inspector {
 public:
  Inspector() = default;
  Inspector(const Inspector&) = delete;
  Inspector(Inspector&&) = delete;
  Inspector& operator=(const Inspector&) = delete;
  Inspector& operator=(Inspector&&) = delete;
  virtual ~Inspector() = default;

  /// An object, chunk or list begins. Elements of a list have an index and an empty name.
  virtual void begin(std::string_view name, bool is_list, std::uint64_t offset) = 0;
  /// What began last ends; `offset` is that of the byte after it.
  virtual void end(std::uint64_t offset) = 0;
  /// A part of what began last and has not ended.
  virtual void leaf(const Leaf& leaf) = 0;
  /// Called between the elements of lists: true ends each list there, and with them the walk.
  [[nodiscard]] virtual bool stopped() const { return false; }
};

/// Runs a document's description over an inspector: what every format offers.
using Inspection = std::function<void(Inspector&)>;

/// The whole document as JSON, one value per field; always valid JSON in UTF-8. Floats are shortest exact;
/// non-finite ones are strings ("nan", "inf", "-inf", and "nan:7fc00001" for a NaN with other bits than the
/// usual one). Texts are strings, or {"text": …, "raw": "hex"} where the string alone would lose bytes (not
/// UTF-8, or something after the NUL). Keyframes are [frame, value, …]; raw bytes are {"raw": "hex"}. What
/// follows from the rest (magic, sizes, counts) is left out.
std::string dump_json(const Inspection& inspection);

/// Takes a text piece by piece; false ends it.
using TextSink = std::function<bool(std::string_view piece)>;
/// The same text in pieces, as the inspection comes by: nothing of it is kept. False if the sink ended it or
/// `control` was stopped.
bool dump_json(const Inspection& inspection, const TextSink& sink, const Control* control = nullptr);

/// One object, list, array or run of raw bytes of a document.
struct TreeNode {
  unsigned depth = 0;  ///< 0 for what lies directly in the document
  std::string name;    ///< its tag, field name or [index]; of a tag that comes again TAG#2, as in paths
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  /// Elements of a list or array.
  std::optional<std::size_t> count;
  std::string label;  ///< the object's own name, e.g. that of a sequence; empty for none
  bool raw = false;   ///< bytes that are kept and not understood

  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};
/// The structure in file order, without single values.
std::vector<TreeNode> list_tree(const Inspection& inspection, unsigned depth = 64);

/// `list_tree` for people, one line each: offset, size, indented name, count and label. Bytes that are not
/// understood are marked.
std::string print_tree(const Inspection& inspection, unsigned depth = 64);

/// Takes one node after the other; false ends the tree.
using NodeSink = std::function<bool(const TreeNode& node)>;
/// `list_tree` node by node: kept are only those whose end has not been seen. False if the sink ended it or
/// `control` was stopped.
bool walk_tree(const Inspection& inspection, unsigned depth, const NodeSink& sink,
               const Control* control = nullptr);
/// A node as `print_tree` has it, with the end of the line.
std::string tree_line(const TreeNode& node);

/// How many bytes of a file have a meaning.
struct ByteAccount {
  std::uint64_t understood = 0;  ///< in values, texts, tags, sizes and counts
  std::uint64_t raw = 0;         ///< kept and not understood

  /// The share that is understood, 0 to 1; 1 if there are no bytes at all.
  [[nodiscard]] double share() const {
    const auto total = static_cast<double>(understood + raw);
    return total > 0 ? static_cast<double>(understood) / total : 1.0;
  }
};
/// Adds up the sizes of all leaves.
ByteAccount account_bytes(const Inspection& inspection, const Control* control = nullptr);

/// One place where two documents are not the same; values are text as in `thaw dump`.
struct Difference {
  std::string path;
  std::string left;   ///< empty when only the right side has it
  std::string right;  ///< empty when only the left side has it
};
/// Field by field, in the left side's order; at most `limit` entries. Elements of lists are matched by their
/// tag where they have one (`GEOS`, `tracks[KGTR]`), else by index. Something that only one side has is one
/// entry, whatever it holds. For arrays the first element that differs and the number of such elements are
/// reported. Offsets, sizes and counts are not compared: they follow from the rest.
std::vector<Difference> diff(const Inspection& left, const Inspection& right, std::size_t limit = 1000,
                             const Control* control = nullptr);

// --- chunks with fixed places in a file

/// What tag, size and content of such a chunk say beyond the content.
struct ChunkFrame {
  bool present = true;  ///< false: the file does not have the chunk
  /// Where it is not the size of the content: the chunk runs past the end of what holds it.
  std::optional<std::uint32_t> stated_size;
  Remainder remainder;

  friend bool operator==(const ChunkFrame&, const ChunkFrame&) = default;
};

}  // namespace thaw

#pragma GCC visibility pop
