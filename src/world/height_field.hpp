// Heights of a land as chunks have them, out of meshes.
#pragma once

#include <thaw/control.hpp>
#include <thaw/scene.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

namespace thaw::world {

/// Where in the world a scene stands.
struct SceneOrigin {
  double north = 0;  ///< of its origin
  double west = 0;
  double yards = 1;  ///< in a unit of it
};

/// What was found, and at how many places nothing was: there the height is 0.
struct FoundHeights {
  HeightField field;
  std::size_t missing = 0;
};

/// The highest triangle above each place. A vertex that stands at a place itself gives its height to the last
/// bit. Of a scene in which nodes are called `terrain…`, as maps become, only these count. Errors:
/// limit.stopped.
Result<FoundHeights> heights_of(const scene::Scene& scene, const SceneOrigin& place,
                                const wdt::TilePosition& corner, std::size_t columns, std::size_t rows,
                                const Control* control);

}  // namespace thaw::world
