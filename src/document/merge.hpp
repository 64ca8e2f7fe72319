// Three-way merges of dumps: what one side changed is taken, what both changed differently is a conflict.
#pragma once

#include "document/json_tree.hpp"

#include <string>
#include <vector>

namespace thaw {

struct TreeMerge {
  JsonNode result;
  std::vector<std::string> conflicts;  ///< paths, as people know them
};

/// Of three dumps, or parts of them. Where both sides changed the same, `ours` stands.
TreeMerge merge_trees(JsonNode& base, JsonNode& ours, JsonNode& theirs);

}  // namespace thaw
