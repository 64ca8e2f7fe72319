// The bytes of a file from its dump: each value goes where the layout says, and tags, sizes and counts are
// put back. It knows no format.
#pragma once

#include "document/layout.hpp"

#include <utility>

namespace thaw {

/// Where a leaf of the document lies in the bytes that were built: offset and size, in the document's order.
using BuiltLeaf = std::pair<std::uint64_t, std::uint64_t>;

struct Built {
  std::string format;
  Bytes bytes;
  std::vector<BuiltLeaf> leaves;
};

/// From a dump, or an object that has one as `document`. Errors begin with line and column. Takes memory by
/// what the text holds, not by what it says.
Result<Built> build_bytes(std::string_view json);

/// Whether an inspection shows the leaves that were built: the path of the first that it does not.
std::optional<std::string> first_strange_leaf(const Inspection& inspection,
                                              const std::vector<BuiltLeaf>& leaves);

}  // namespace thaw
