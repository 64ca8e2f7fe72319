// Matrix groups as GNDX, MTGC and MATS, in several geosets where one byte per vertex cannot number them all.
#pragma once

#include "formats/warcraft/mdx/convert/conversion_job.hpp"

#include <vector>

namespace thaw::mdx {

/// Object ids of one matrix group, sorted. Empty: the vertex follows the root.
using GroupBones = std::vector<std::uint32_t>;

/// Gives a geoset its matrix groups. With more than fit, its triangles are divided in their order: the geoset
/// keeps the first part and the others are returned. Vertices of no triangle are then left out. Faces that
/// are not triangles become triangles if they are divided; points and lines are never drawn and are left out,
/// too. Only the first part has the extents of sequences. What the parts repeat is taken from the job's room.
Result<std::vector<Geoset>> assign_groups(ConversionJob& job, Geoset& geoset,
                                          const std::vector<GroupBones>& groups,
                                          const Array<std::uint32_t>& group_of_vertex);

}  // namespace thaw::mdx
