// What the rules of buildings share.
#pragma once

#include "formats/wow/wmo/building.hpp"
#include "formats/wow/wmo/rules.hpp"

namespace thaw::wmo {

using Subject = DocumentSubject<Document>;

/// The path of a chunk of the root.
inline std::string root_path(const Subject& subject, std::string_view tail) {
  const bool whole = find_chunk<Root>(subject.document.chunks, FourCC{"MOMO"}) != nullptr;
  return whole ? say("MOMO.", tail) : std::string(tail);
}

/// Calls `use(path, group)` for every group in file order; the second MOGP is "MOGP#2".
template <class F>
void for_each_group(const Document& document, F&& use) {
  const auto visit = [&](const std::vector<Chunk>& chunks, const std::string& prefix) {
    std::size_t number = 0;
    for (const auto& chunk : chunks) {
      number += chunk.tag == FourCC{"MOGP"} ? 1U : 0U;
      if (const auto* group = std::get_if<Group>(&chunk.body)) {
        use(number > 1 ? say(prefix, "MOGP#", number) : prefix + "MOGP", *group);
      }
    }
  };
  if (const auto* root = find_chunk<Root>(document.chunks, FourCC{"MOMO"})) {
    visit(root->chunks, "MOMO.");
  }
  visit(document.chunks, "");
}

/// A file without groups is a root of a later version; one without MOHD is one of its groups.
inline bool has_root(const Document& document) { return document.find<Header>(FourCC{"MOHD"}) != nullptr; }
inline bool is_whole(const Document& document) { return has_root(document) && !document.groups().empty(); }

}  // namespace thaw::wmo
