// The mesh of a tile's ground, its far form, and the meshes of its liquids.
#pragma once

#include <thaw/world.hpp>

#include "scene/liquid.hpp"

#include <array>
#include <vector>

namespace thaw::world {

/// Which part of the mesh a chunk belongs to: chunks of one number share a material.
using ChunkGroups = std::array<std::uint32_t, wdt::kChunks>;

/// 145 vertices per chunk, relative to the tile's north-west corner, four triangles per cell, holes cut. The
/// first UV set covers the tile once, the second every cell. One part per group in use, `material` being the
/// group.
scene::Mesh ground_mesh(const wdt::Tile& tile, const ChunkGroups& groups, float scale,
                        Diagnostics& diagnostics);

/// 545 vertices and 1024 triangles, UVs over the tile. Next to chunks that are near, which replace
/// cells, there are walls to their edges: the two are of different heights.
scene::Mesh far_mesh(const wdl::Area& area, float scale, const NearGround& near = {});

/// A liquid of a tile: a part per current, whose `material` is its place in `flows`.
struct LiquidSurface {
  scene::Mesh mesh;
  std::vector<Vec2> flows;  ///< texture coordinates per second
};
/// The cells that are shown; no triangles if there are none. The first UVs are those of the format for magma
/// and repeat once per cell for the others, the second have the depth, 0 to 1, as U.
LiquidSurface liquid_surface(const wdt::Tile& tile, wdt::LiquidKind kind, float scale,
                             Diagnostics& diagnostics);

/// How deep a liquid is at a corner, 0 to 1; 1 of magma, which does not say it.
float liquid_depth(wdt::LiquidKind kind, const wdt::LiquidVertex& vertex);
inline scene::Liquid liquid_of(wdt::LiquidKind kind) { return static_cast<scene::Liquid>(kind); }

/// What the scene of a tile says of its chunks: areas, holes, layers, flags; and of sounds and flows.
Value chunk_extras(const wdt::Tile& tile);
Value flow_extras(const wdt::Tile& tile, wdt::LiquidKind kind);

}  // namespace thaw::world
