// Three-way merges of dumps: what one side changed is taken, what both changed differently is a conflict.
#pragma once

#include "patch/json_tree.hpp"

#include <set>
#include <string>
#include <vector>

namespace thaw {

struct TreeMerge {
  JsonNode result;
  std::vector<std::string> conflicts;  ///< paths, as people know them
};

/// Of three dumps, or parts of them. Where both sides changed the same, `ours` stands. With `following`,
/// numbers of theirs by where their text is, these stay as they are in ours, and so does everything around
/// what is taken from theirs: what has moved is found again by that (`build_edited`).
TreeMerge merge_trees(JsonNode& base, JsonNode& ours, JsonNode& theirs,
                      const std::set<const char*>* following = nullptr);

}  // namespace thaw
