// The bytes of a file from its dump: each value goes where the layout says, and tags, sizes and counts are
// put back. It knows no format.
#pragma once

#include <thaw/bytes.hpp>

#include "patch/json_window.hpp"
#include "patch/layout.hpp"
#include "patch/packed_leaves.hpp"

namespace thaw {

/// Why a file that was built is not the requested one.
inline constexpr std::string_view kStrangeLeaf =
    "the built file would read differently from here on: a size, count or offset does not match its target";

/// A leaf of the document in the bytes that were built, in the document's order.
struct BuiltLeaf {
  std::uint64_t at = 0;  ///< in the file
  std::uint64_t size = 0;
  std::size_t text = 0;  ///< where its value begins in the dump
  std::size_t out = 0;   ///< in `LaidFile::bytes`
  bool gap = false;      ///< between parts: what lies there follows from the parts
};

struct Built {
  std::string format;
  Bytes bytes;
  std::vector<BuiltLeaf> leaves;
  bool moved = false;                  ///< parts lie elsewhere than the layout says
  std::vector<std::string> lost = {};  ///< as Layout::lost
};

/// A file in pieces.
struct LaidFile {
  /// Bytes from one place of the file on.
  struct Segment {
    std::uint64_t at;
    std::size_t from;
    std::size_t size;
    bool stated;  ///< the layout says that it lies there
  };
  /// Bytes of one value, fewer than an alignment: what follows them is meant to begin at a round place.
  struct Padding {
    std::size_t from;
    std::size_t to;
  };
  /// A number that is not in the dump: from its end to the end of some leaves, or from its begin on.
  struct Span {
    std::size_t out;
    std::uint64_t width;
    bool whole;
    std::size_t first_leaf;
    std::size_t end_leaf;
  };

  std::string format;
  Bytes bytes;
  std::vector<Segment> segments;
  std::vector<BuiltLeaf> leaves;
  std::vector<Padding> paddings;
  std::vector<Span> spans;  ///< over several segments
  std::vector<std::string> lost = {};
};

/// From a dump, or an object that has one as `document`. Errors begin with line and column. Takes memory by
/// what the text holds, not by what it says. Strings are written in the page; `automatic`: in UTF-8.
Result<LaidFile> lay_bytes(std::string_view json, CodePage page = CodePage::automatic);

/// The pieces put together where they are said to lie.
Result<Built> assemble(LaidFile file);

/// Of a text that begins with its `$layout` the format that it names; empty for all others.
std::string_view format_of_layout_in_front(std::string_view start);

/// The same as the text comes, for one that begins with its layout: each item of the outermost lists is
/// written once it is read. Errors: those of lay_bytes and assemble, of the source, write.failed. Parts that
/// share bytes cannot be built so.
Result<PackedLeaves> build_as_it_comes(JsonSource source, Sink& out,
                                       std::size_t piece = std::size_t{8} << 20U,
                                       CodePage page = CodePage::automatic);

/// Whether an inspection shows the leaves that were built: the path of the first that it does not. If parts
/// have moved, what lies between them is not looked at.
std::optional<std::string> first_strange_leaf(const Inspection& inspection,
                                              const std::vector<BuiltLeaf>& leaves, bool moved);
std::optional<std::string> first_strange_leaf(const Inspection& inspection, const PackedLeaves& leaves);

}  // namespace thaw
