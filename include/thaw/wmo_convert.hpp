// World of Warcraft buildings from one version to another (wmo.md#conversion): the alpha's one file of
// version 14, and the root and group files of version 17 that today's editors open. What a version cannot
// hold is reported as wmo.lost, what it asks for and the source does not have as wmo.made.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/wmo.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::wmo {

/// A building of version 17.
struct SplitBuilding {
  Document root;
  std::vector<Document> groups;  ///< by number
};

/// From version 14, or from 16 with its group files (null where one is missing).
///
/// Equal vertices of a batch become one; lightmaps go into vertex colours where a group has none; batches are
/// put in the order interior, exterior; liquid grids are transposed. Fails with write.unsupported if a group
/// is missing.
Result<SplitBuilding> to_later(const Document& document, std::span<const Document* const> group_files,
                               Diagnostics& diagnostics = Diagnostics::unwanted());

/// From version 17 or 16 with the group files.
///
/// Every corner of a face gets a vertex of its own, as the alpha has them. Fails with write.unsupported if a
/// group is missing or has more than 65,535 corners.
Result<Document> to_alpha(const Document& root, std::span<const Document* const> group_files,
                          Diagnostics& diagnostics = Diagnostics::unwanted());

/// Sets offsets and sizes of MOGI and the counts of MOHD to what the document of version 14 holds: what one
/// made or edited by a program needs before it is written.
void lay_out(Document& document);

}  // namespace thaw::wmo

#pragma GCC visibility pop
