// Facts of archives and their entries, as commands report them.
#pragma once

#include <thaw/format.hpp>
#include <thaw/value.hpp>

#include "cli/inputs/archives.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Entries whose name matches one of the patterns (all, without any). A pattern without `/` or `\` is about
/// the last part of the name; one that is the exact name of a file in no list finds it. The error is
/// mpq.no-entry.
Result<std::vector<ArchiveEntry>> choose_entries(const OpenedArchive& archive,
                                                 const std::vector<std::string>& patterns);

/// "e" encrypted, "k" with adjusted key, "i" imploded, "s" single unit, "c" with sector checksums, "p" patch;
/// "-" for none.
std::string flag_letters(const ArchiveEntry& entry);

Value entry_json(const ArchiveEntry& entry, const std::string& name);
Value archive_json(const Archive& archive);
/// As `identify` says of the file's content, also where the archive follows something else.
Identity archive_identity(const Archive& archive);

}  // namespace thaw::cli
