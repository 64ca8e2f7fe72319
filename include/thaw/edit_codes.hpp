// Codes of files that are built from their fields, edited by path, patched and merged.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kBuildLayout{"build.layout", Severity::error,
                                   "the dump has no layout to build the file from"};
inline constexpr Code kBuildMember{"build.member", Severity::error,
                                   "a member is missing, unknown or of the wrong type"};
inline constexpr Code kBuildValue{"build.value", Severity::error, "value out of range for its field"};
inline constexpr Code kBuildGap{"build.gap", Severity::error, "bytes that no field describes"};
inline constexpr Code kBuildDiffers{"build.differs", Severity::error,
                                    "the built file would not read back the same"};
inline constexpr Code kEditPath{"edit.path", Severity::error, "invalid path"};
inline constexpr Code kEditPatch{"edit.patch", Severity::error, "the patch cannot be applied"};
inline constexpr Code kEditNothing{"edit.nothing", Severity::warning, "the edit matches nothing"};
inline constexpr Code kEditInexact{"edit.inexact", Severity::warning, "the edit is only approximated here"};
inline constexpr Code kEditRefused{"edit.refused", Severity::error,
                                   "the edit conflicts with the rest of the document"};
inline constexpr Code kMergeConflict{"merge.conflict", Severity::error,
                                     "both sides changed the same field differently"};

inline constexpr Code kWriteChanged{"write.changed", Severity::error, "the file changed after it was read"};

/// Every code of this page.
inline constexpr std::array kEdits = {kBuildLayout,  kBuildMember, kBuildValue,    kBuildGap,
                                      kBuildDiffers, kEditPath,    kEditPatch,     kEditNothing,
                                      kEditInexact,  kEditRefused, kMergeConflict, kWriteChanged};

}  // namespace thaw::codes

#pragma GCC visibility pop
