// Face groups of any primitive type as triangles (mdx.md#face-groups).
#pragma once

#include <thaw/mdx.hpp>

namespace thaw::mdx {

struct Triangles {
  Array<std::uint32_t> indices;
  bool no_area_types = false;  ///< points or lines, or a type that does not exist, were skipped
  bool out_of_range = false;   ///< triangles with vertices that do not exist were dropped
  bool ragged = false;         ///< types, counts and indices disagree
};
Triangles triangulate(const Geoset& geoset);

}  // namespace thaw::mdx
