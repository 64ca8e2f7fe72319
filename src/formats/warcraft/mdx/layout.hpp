// Decisions about the layout that only the bytes can make (mdx.md#choosing-between-readings).
#pragma once

#include <thaw/bytes.hpp>

namespace thaw::mdx {

/// Version 900: do the fresnel fields stand between emissiveGain and the tracks?
bool fresnel_fields_follow(ByteView rest);

/// Do the bytes of SNDS hold records of 56 bytes, not of 272? Sizes decide, then names.
bool has_short_sound_tracks(ByteView chunk);

/// Is the word after KEVT's count the global sequence id? `rest` begins after the count.
bool event_has_global_sequence(ByteView rest, std::uint32_t count);

/// Payload bytes of a collision shape in the community layout; 0 if unknown or more than `left`.
std::size_t usual_collision_payload(std::uint32_t type, std::size_t left);

/// Payload bytes of each shape of a CLID chunk such that all shapes together fill it exactly; empty if there
/// is no such reading.
std::vector<std::uint32_t> plan_collision_payloads(ByteView chunk);

}  // namespace thaw::mdx
