// Face groups of any primitive type as triangles, points and lines (mdx.md#face-groups).
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

namespace thaw::mdx {

struct Triangles {
  Array<std::uint32_t> indices;
  std::vector<scene::Wire> wires;  ///< without materials
  bool unknown_types = false;      ///< groups of a type that does not exist were skipped
  bool out_of_range = false;       ///< faces with vertices that do not exist were dropped
  bool ragged = false;             ///< types, counts and indices disagree
};
Triangles triangulate(const Geoset& geoset);

}  // namespace thaw::mdx
