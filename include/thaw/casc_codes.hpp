// Finding codes of installations that keep their files in CASC.
#pragma once

#include <thaw/codes.hpp>

#include <array>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kCascInstallation{"casc.installation", Severity::error,
                                        "no installation that can be read: something it needs is missing"};
inline constexpr Code kCascChoice{
    "casc.choice", Severity::error,
    "a product or variant that the installation does not have, or has to be named"};
inline constexpr Code kCascIndex{"casc.index", Severity::error,
                                 "an index file is missing or damaged; an older one may take its place"};
inline constexpr Code kCascTable{"casc.table", Severity::error,
                                 "a table of names or keys is damaged or not on this disk; the rest is read"};
inline constexpr Code kCascNames{"casc.names", Severity::info, "the names of some files are not known"};
inline constexpr Code kCascLocale{"casc.locale", Severity::info,
                                  "files of other languages alone, which are left out"};
inline constexpr Code kCascNoEntry{"casc.no-entry", Severity::error, "the installation has no such file"};
inline constexpr Code kCascAbsent{"casc.absent", Severity::error,
                                  "the file is listed, but its content is not on this disk"};
inline constexpr Code kCascData{"casc.data", Severity::error, "packed data is broken"};
inline constexpr Code kCascChecksum{"casc.checksum", Severity::severe,
                                    "a checksum does not fit the content; the content is given all the same"};
inline constexpr Code kCascEncrypted{"casc.encrypted", Severity::error,
                                     "parts are encrypted with a key that is not known; zeros stand there"};
inline constexpr Code kCascUnsupported{"casc.unsupported", Severity::error,
                                       "a kind of storage or packing that is not read"};

/// Every code of CASC.
inline constexpr std::array kCasc = {kCascInstallation, kCascChoice,   kCascIndex,     kCascTable,
                                     kCascNames,        kCascLocale,   kCascNoEntry,   kCascAbsent,
                                     kCascData,         kCascChecksum, kCascEncrypted, kCascUnsupported};

}  // namespace thaw::codes

#pragma GCC visibility pop
