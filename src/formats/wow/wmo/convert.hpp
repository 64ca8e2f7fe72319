// Parts shared by both directions of the conversion.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/wmo.hpp>

#include "formats/wow/wmo/building.hpp"

#include <string>
#include <utility>

namespace thaw::wmo {

/// Flags of a group that say which chunks it has (wmo.md#conversion).
inline constexpr std::uint32_t kChunkFlags = GroupHeader::kBsp | GroupHeader::kVertexColors |
                                             GroupHeader::kLights | GroupHeader::kDoodads |
                                             GroupHeader::kLiquid;

template <class Body>
Body& add_chunk(std::vector<Chunk>& chunks, FourCC tag, Body body) {
  chunks.push_back({tag, std::move(body), {}, {}});
  return std::get<Body>(chunks.back().body);
}
template <class Item>
void add_list(std::vector<Chunk>& chunks, FourCC tag, std::vector<Item> items) {
  chunks.push_back({tag, List<Item>{std::move(items)}, {}, {}});
}

/// A chunk as the source has it, empty if it has none.
template <class Body>
void copy_chunk(const Document& from, std::vector<Chunk>& to, FourCC tag) {
  add_chunk(to, tag, part_or_empty(from.find<Body>(tag)));
}

inline void note_lost(Diagnostics& diagnostics, std::string what, std::string place) {
  diagnostics.add(codes::kWmoLost, std::move(what), {}, std::move(place));
}
inline void note_generated(Diagnostics& diagnostics, std::string what, std::string place) {
  diagnostics.add(codes::kWmoMade, std::move(what), {}, std::move(place));
}
inline std::string group_place(std::size_t group) { return "group " + std::to_string(group); }

/// Reports chunks that cannot come over: unknown and damaged ones, those of `dropped`, and repeated ones.
void note_lost_chunks(const std::vector<Chunk>& chunks, std::span<const FourCC> dropped,
                      const std::string& place, Diagnostics& diagnostics);

/// write.unsupported if a group is missing.
Result<void> require_groups(const Building& building);

/// The chunks that a group need not have, each with the flag that states it: lights, doodads, the BSP tree,
/// `colors` and `liquids`.
void add_optional_chunks(const GroupParts& parts, const Array<Bgra>& colors, std::vector<Liquid> liquids,
                         Group& group);

/// Returns the liquid with its grid in the order of the other version (wmo.md#liquids). `to_later` is from
/// versions before 17.
Liquid transposed(const Liquid& liquid, bool to_later);

}  // namespace thaw::wmo
