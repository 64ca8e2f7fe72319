// Codes of files that are built from their fields, edited by path, patched and merged.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kBuildLayout{"build.layout", Severity::error,
                                   "the dump lacks the layout that a file is built by"};
inline constexpr Code kBuildMember{"build.member", Severity::error,
                                   "a member is missing, unknown, or not what stands here"};
inline constexpr Code kBuildValue{"build.value", Severity::error, "a value that its field cannot hold"};
inline constexpr Code kBuildGap{"build.gap", Severity::error, "bytes of the file that no field gives"};
inline constexpr Code kBuildDiffers{"build.differs", Severity::error,
                                    "read again, the file would hold something else"};
inline constexpr Code kEditPath{"edit.path", Severity::error, "a path that leads nowhere"};
inline constexpr Code kEditPatch{"edit.patch", Severity::error, "a patch that cannot be applied"};
inline constexpr Code kEditNothing{"edit.nothing", Severity::warning, "an edit that finds nothing to change"};
inline constexpr Code kEditInexact{"edit.inexact", Severity::warning,
                                   "something that cannot follow an edit exactly"};
inline constexpr Code kEditRefused{"edit.refused", Severity::error,
                                   "an edit that the rest of the document does not allow"};
inline constexpr Code kMergeConflict{"merge.conflict", Severity::error,
                                     "both sides changed the same field differently"};

inline constexpr Code kWriteChanged{"write.changed", Severity::error,
                                    "the file to be replaced has changed since it was read"};

/// Every code of this page.
inline constexpr std::array kEdits = {kBuildLayout,  kBuildMember, kBuildValue,    kBuildGap,
                                      kBuildDiffers, kEditPath,    kEditPatch,     kEditNothing,
                                      kEditInexact,  kEditRefused, kMergeConflict, kWriteChanged};

}  // namespace thaw::codes

#pragma GCC visibility pop
