// Codes of archives that are written.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kArchiveRefused{"archive.refused", Severity::error,
                                      "the archive is protected or damaged, and is left as it is"};
inline constexpr Code kArchiveFull{"archive.full", Severity::error,
                                   "the archive has no room for more, or a file is too large for it"};
inline constexpr Code kArchiveName{"archive.name", Severity::error, "a name that the archive cannot hold"};
inline constexpr Code kArchiveKind{"archive.kind", Severity::error, "archives of this kind are not written"};
inline constexpr Code kArchiveSignature{"archive.signature", Severity::warning,
                                        "a signature that no longer holds is left out"};
inline constexpr Code kArchiveHashName{"archive.hash-name", Severity::warning,
                                       "a file is called by a hash, by which no game asks for it"};
inline constexpr Code kArchiveUnlisted{"archive.unlisted", Severity::warning,
                                       "the archive has no list of names, and gets none"};
inline constexpr Code kArchiveMapInfo{"archive.map-info", Severity::warning,
                                      "the map's header says what its file name tells"};

/// Every code of this page.
inline constexpr std::array kArchives = {kArchiveRefused,  kArchiveFull,      kArchiveName,
                                         kArchiveKind,     kArchiveSignature, kArchiveHashName,
                                         kArchiveUnlisted, kArchiveMapInfo};

}  // namespace thaw::codes

#pragma GCC visibility pop
