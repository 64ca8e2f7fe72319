// Position of an archive in its file, and its header.
#pragma once

#include <thaw/archive.hpp>

namespace thaw::mpq {

/// The first header whose tables lie in the file, searched at the start, after the 512 bytes of a map's
/// header, at the place that a user data block names, and then every 512 bytes. The error is mpq.no-header.
Result<Header> find_header(const Storage& storage, Diagnostics& diagnostics);

/// Where a table or file of an archive lies in the archive's file. In version 1, places wrap at 4 GiB, which
/// protectors of maps use.
std::optional<std::uint64_t> absolute_offset(const Header& header, const Storage& storage,
                                             std::uint64_t relative);

/// The map's name after HM3W; empty if there is none.
std::string read_map_name(const Storage& storage);

}  // namespace thaw::mpq
