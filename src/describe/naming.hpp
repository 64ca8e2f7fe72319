// Names of the parts of a document in paths and trees, in the manner of the reader's own paths:
// `GEOS[2].positions`, `BONE[0].node.tracks[KGTR].keys`.
#pragma once

#include <thaw/inspect.hpp>

#include "describe/scalars.hpp"

#include <map>

namespace thaw {

/// Lists that go without saying: the content of a chunk, and the chunks of a file.
inline bool is_transparent(std::string_view list_name) { return list_name.empty() || list_name == "chunks"; }

/// "[part]".
inline std::string bracketed(std::string_view part) {
  std::string text(1, '[');
  text += part;
  text += ']';
  return text;
}

/// The path of the part `name` below `path`; either may be empty.
inline std::string joined(const std::string& path, std::string_view name) {
  return path + (path.empty() || name.empty() ? "" : ".") + std::string(name);
}

/// How the elements of a list are called by their tags: `BONE`, `BONE#2`, `BONE#3`.
class NamesByTag {
 public:
  std::string next(const std::string& tag) {
    const unsigned occurrence = ++seen_[tag];
    return occurrence == 1 ? tag : tag + '#' + std::to_string(occurrence);
  }

 private:
  std::map<std::string, unsigned> seen_;
};

/// A tag in printable form.
inline std::string tag_text(const Leaf& leaf) {
  FourCC tag;
  const ByteView bytes = leaf_bytes(leaf);
  std::memcpy(tag.bytes.data(), bytes.data(), std::min(bytes.size(), tag.bytes.size()));
  return tag.text();
}

}  // namespace thaw
