// Codes of archives that are written.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kArchiveRefused{"archive.refused", Severity::error,
                                      "the archive is protected or damaged, and was not changed"};
inline constexpr Code kArchiveFull{"archive.full", Severity::error,
                                   "the archive is full, or a file is too large for it"};
inline constexpr Code kArchiveName{"archive.name", Severity::error, "the archive cannot store this name"};
inline constexpr Code kArchiveKind{"archive.kind", Severity::error,
                                   "archives of this kind cannot be written"};
inline constexpr Code kArchiveSignature{"archive.signature", Severity::warning,
                                        "an invalidated signature is removed"};
inline constexpr Code kArchiveHashName{"archive.hash-name", Severity::warning,
                                       "a file is named by its hash, so games cannot find it"};
inline constexpr Code kArchiveUnlisted{"archive.unlisted", Severity::warning,
                                       "the archive has no list of names, and none is added"};
inline constexpr Code kArchiveMapInfo{"archive.map-info", Severity::warning,
                                      "the map's header is derived from its file name"};

/// Every code of this page.
inline constexpr std::array kArchives = {kArchiveRefused,  kArchiveFull,      kArchiveName,
                                         kArchiveKind,     kArchiveSignature, kArchiveHashName,
                                         kArchiveUnlisted, kArchiveMapInfo};

}  // namespace thaw::codes

#pragma GCC visibility pop
