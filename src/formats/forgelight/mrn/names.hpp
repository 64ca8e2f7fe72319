// The names of a network's animations, entry by entry (mrn.md#file-names).
#pragma once

#include <thaw/mrn.hpp>

#include <string>
#include <vector>

namespace thaw::mrn {

/// The first table of them, or null.
FileNames* names_of(Document& document);
/// The entry of an animation by its number; what it has no number for goes by its order.
std::size_t name_entry(const FileNames& names, const Packet& packet, std::size_t order);
/// All entries, those that a table does not have empty.
std::vector<AnimationName> listed(const FileNames& names);

}  // namespace thaw::mrn
