// Geosets as what they show: triangles of corners, whatever order, joining and splitting of vertices another
// program made of them.
#pragma once

#include <thaw/mdx.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thaw::mdx {

/// Objects by their ids, with names that are the same in two models where the object is.
using ObjectNames = std::map<std::int64_t, std::string>;

/// A geoset and whose bones it names.
struct Surface {
  const Geoset& geoset;
  const ObjectNames& names;
};

/// How many of 100 triangles of `a` are among those of `b`, by the places of their corners; 0 for none.
double share_of_triangles(const Surface& a, const Surface& b);

/// Puts into `original` what is other in `after` than in `before` of corners: where they are, their
/// directions and coordinates. Vertices whose triangles are the same keep their bytes, and so do order and
/// faces. False, and nothing changed, where there are other triangles, or one vertex would have to be two.
bool merge_surface(Geoset& original, const Surface& before, const Surface& after);

}  // namespace thaw::mdx
