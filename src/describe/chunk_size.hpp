// Chunks whose stated size is wrong: where the next one begins says more.
#pragma once

#include <thaw/bytes.hpp>

#include "describe/description.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace thaw {

/// A chunk of a row of chunks.
struct ChunkInRow {
  ByteView rest;             ///< after its head, to the end of what holds the row
  std::uint32_t stated = 0;  ///< bytes of content
  bool holds_row = false;    ///< a row of others is all its content
  bool in_chunk = false;     ///< the row is a chunk's content, whose end is its own
};

inline FourCC stored_tag_at(ByteView bytes, std::size_t at) {
  FourCC tag;
  if (at + tag.bytes.size() <= bytes.size()) {
    std::memcpy(tag.bytes.data(), bytes.data() + at, tag.bytes.size());
  }
  return tag;
}

inline bool looks_like_tag(FourCC tag) {
  return std::all_of(tag.bytes.begin(), tag.bytes.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

/// Which size a chunk has: as stated if another chunk or the end follows; else up to the next chunk that may
/// follow on its level (`is_sibling`, of a stored tag), or to the end of what holds it. `is_elsewhere`:
/// what never stands on its level. `searches` bounds what a file of nothing but such chunks costs.
template <class IsSibling, class IsElsewhere>
std::size_t better_chunk_size(const ChunkInRow& chunk, std::size_t head, unsigned& searches,
                              const IsSibling& is_sibling, const IsElsewhere& is_elsewhere) {
  constexpr unsigned kMostSearches = 64;
  const ByteView rest = chunk.rest;
  const std::size_t clipped = std::min<std::size_t>(chunk.stated, rest.size());
  const FourCC next = stored_tag_at(rest, clipped);
  const auto fits = [&](std::size_t at) {
    return at + head <= rest.size() &&
           load_plain<std::uint32_t>(rest.data() + at + 4) <= rest.size() - at - head;
  };
  const bool follows = chunk.stated <= rest.size() &&
                       (is_sibling(next) || (looks_like_tag(next) && !is_elsewhere(next) && fits(clipped)));
  const bool ends = chunk.stated <= rest.size() && rest.size() - clipped < head;
  if (follows || ends || searches == kMostSearches) {
    return clipped;
  }
  ++searches;
  for (std::size_t at = 0; at + head <= rest.size(); ++at) {
    const FourCC tag = stored_tag_at(rest, at);
    if (looks_like_tag(tag) && is_sibling(tag) && fits(at)) {
      return at;
    }
  }
  return chunk.holds_row || chunk.in_chunk || chunk.stated == 0 ? rest.size() : clipped;
}

/// What to say of a size that is not the stated one; empty if it is.
inline std::string size_problem(FourCC tag, std::uint32_t stated, std::size_t used, std::size_t left) {
  return stated == used ? std::string()
                        : tag.text() + " states " + std::to_string(stated) + " bytes, but " +
                              (used == left ? "the data ends" : "the next chunk begins") + " after " +
                              std::to_string(used) + "; this size is used";
}

}  // namespace thaw
