// Small tools to put alpha models (MDX, dialect wow-alpha) together by hand.
#pragma once

#include "build.hpp"

#include <thaw/mdx_alpha.hpp>

namespace thaw::samples {

/// As `track` of build.hpp; quaternions are packed.
mdx_alpha::Track alpha_track(FourCC tag, mdx::Interpolation interpolation, const std::vector<Key>& keys,
                             std::int32_t global_sequence = -1);
mdx_alpha::Track alpha_index_track(FourCC tag, const std::vector<std::pair<std::int32_t, std::int32_t>>& keys,
                                   std::int32_t global_sequence = -1);
mdx_alpha::Node alpha_node(std::string_view name, std::int32_t object_id, std::int32_t parent_id,
                           std::uint32_t flags = 0);
mdx_alpha::Sequence alpha_sequence(std::string_view name, std::uint32_t start, std::uint32_t end,
                                   bool looping, const mdx::Extent& extent);
/// A geoset whose vertices follow groups of bones, with BIDX and BWGT as the game's exporter writes them.
mdx_alpha::Geoset alpha_geoset(const mdx::Geoset& geoset, std::size_t sequences);
/// A box as a collision mesh.
mdx_alpha::CollisionMesh box_mesh(const Vec3& minimum, const Vec3& maximum);

}  // namespace thaw::samples
