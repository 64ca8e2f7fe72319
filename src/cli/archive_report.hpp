// What commands tell of archives and their entries.
#pragma once

#include <thaw/format.hpp>
#include <thaw/value.hpp>

#include "cli/archives.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Entries whose name matches one of the patterns (all, without any). A pattern without `/` or `\` is about
/// the last part of the name; one that is the exact name of a file in no list finds it. The error is
/// mpq.no-entry.
Result<std::vector<mpq::Entry>> choose_entries(const OpenedArchive& archive,
                                               const std::vector<std::string>& patterns);

/// "e" encrypted, "k" with adjusted key, "i" imploded, "s" single unit, "c" with sector checksums, "p" patch;
/// "-" for none.
std::string flag_letters(const mpq::Entry& entry);

Value entry_json(const mpq::Entry& entry, const std::string& name);
Value archive_json(const mpq::Archive& archive);
/// "version 1 at 0x200, sectors of 4096 bytes, …".
std::string archive_text(const mpq::Archive& archive);

/// As `identify` says of the file's content, also where the archive lies behind something else.
Identity archive_identity(const mpq::Archive& archive);

}  // namespace thaw::cli
