// Finding codes of installations that keep their files in CASC.
#pragma once

#include <thaw/codes.hpp>

#include <array>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kCascInstallation{"casc.installation", Severity::error,
                                        "the installation cannot be read: something it needs is missing"};
inline constexpr Code kCascChoice{
    "casc.choice", Severity::error,
    "the installation does not have this product or variant, or it must be named"};
inline constexpr Code kCascIndex{"casc.index", Severity::error,
                                 "an index file is missing or damaged; an older one may replace it"};
inline constexpr Code kCascTable{"casc.table", Severity::error,
                                 "a table of names or keys is damaged or not installed; the rest is read"};
inline constexpr Code kCascNames{"casc.names", Severity::info, "some files have no known name"};
inline constexpr Code kCascLocale{"casc.locale", Severity::info, "files of other languages only, left out"};
inline constexpr Code kCascNoEntry{"casc.no-entry", Severity::error, "the installation has no such file"};
inline constexpr Code kCascAbsent{"casc.absent", Severity::error,
                                  "the file is listed, but its content is not installed"};
inline constexpr Code kCascData{"casc.data", Severity::error, "damaged compressed data"};
inline constexpr Code kCascChecksum{"casc.checksum", Severity::severe,
                                    "checksum mismatch; the content is returned anyway"};
inline constexpr Code kCascEncrypted{"casc.encrypted", Severity::error,
                                     "parts are encrypted with an unknown key; they are read as zeros"};
inline constexpr Code kCascUnsupported{"casc.unsupported", Severity::error,
                                       "unsupported storage or compression"};

/// Every code of CASC.
inline constexpr std::array kCasc = {kCascInstallation, kCascChoice,   kCascIndex,     kCascTable,
                                     kCascNames,        kCascLocale,   kCascNoEntry,   kCascAbsent,
                                     kCascData,         kCascChecksum, kCascEncrypted, kCascUnsupported};

}  // namespace thaw::codes

#pragma GCC visibility pop
