// Paths of fields, as diagnostics, `tree` and `diff` have them: SEQS[Stand].name, MTLS[*].layers[0].flags,
// BONE[2].node.tracks[KGTR].keys. Chunks go by their tag, items by number, tag or name, or all by `*`.
#pragma once

#include "patch/json_tree.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// A value of a dump and what holds it.
struct EditTarget {
  JsonNode* value = nullptr;   ///< null: the end of the list `holder`
  JsonNode* holder = nullptr;  ///< null of the document itself
  JsonNode* outer = nullptr;   ///< what holds the holder
  std::string holder_name;     ///< under which name
  std::string path;
};

/// Every place of a path; at least one, or an error that says how far it leads.
Result<std::vector<EditTarget>> find_targets(JsonNode& document, std::string_view path);

/// How an item of a list is called in addition to its number: its name, or nothing.
std::string item_name(JsonNode& item);
/// Its tag, or nothing.
std::string item_tag(JsonNode& item);

}  // namespace thaw
