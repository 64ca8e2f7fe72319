// From field paths to offsets.
#pragma once

#include <thaw/inspect.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// A path without its last part: "a[1].b[2]" → "a[1].b" → "a[1]" → "a" → "".
inline std::string_view parent_path(std::string_view path) {
  const std::size_t cut = path.find_last_of(".[");
  return cut == std::string_view::npos ? std::string_view{} : path.substr(0, cut);
}

/// The absolute offset of each path, such as `GEOS[2].positions[17]` or `BONE[0].node.tracks[KGTR].keys[3]`,
/// as diff and tree name things. A path that is not there gives the offset of the innermost object around it
/// that is; none for the empty path. One walk over the document, whatever the number of paths.
std::vector<std::optional<std::uint64_t>> find_offsets(const Inspection& inspection,
                                                       const std::vector<std::string>& paths,
                                                       const Control* control = nullptr);

}  // namespace thaw
