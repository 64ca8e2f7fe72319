#include "world/ground.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "scene/normals.hpp"
#include "world/axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace thaw::world {
namespace {

constexpr std::uint32_t kCellsOfTile = kChunksPerSide * kCellsPerSide;
/// From the outer row of a cell to the one below it.
constexpr std::uint32_t kOuter = wdt::kOuterSide;

/// A unit vector in scene axes; up for what has no direction.
Vec3 unit(const wdt::Normal& normal) {
  const scene::Vec3d v = {double(normal[1]), double(normal[2]), double(normal[0])};
  const double size = scene::length(v);
  return size > 0 ? scene::narrow(scene::scaled(v, 1 / size)) : Vec3{0, 1, 0};
}

struct Lattice {
  double row = 0;  ///< cells from the tile's north edge
  double column = 0;
};

Lattice lattice_of(const wdt::Chunk& chunk, std::size_t i) {
  const std::size_t chunk_y = chunk.slot / kChunksPerSide;
  const std::size_t chunk_x = chunk.slot % kChunksPerSide;
  const bool inner = i >= wdt::kOuterCount;
  const std::size_t at = inner ? i - wdt::kOuterCount : i;
  const std::size_t side = inner ? wdt::kCellsPerSide : wdt::kOuterSide;
  const double half = inner ? 0.5 : 0;
  const std::size_t row = chunk_y * kCellsPerSide + at / side;
  const std::size_t column = chunk_x * kCellsPerSide + at % side;
  return {static_cast<double>(row) + half, static_cast<double>(column) + half};
}

void add_vertex(scene::Mesh& mesh, const Lattice& at, double height, float scale) {
  mesh.positions.push_back(to_scene_axes(-at.row * kCellSize, -at.column * kCellSize, height, double{scale}));
  mesh.uv_sets[0].push_back(
      {static_cast<float>(at.column / kCellsOfTile), static_cast<float>(at.row / kCellsOfTile)});
}

/// Vertices of a chunk; returns how many heights were no numbers.
std::size_t add_chunk(scene::Mesh& mesh, const wdt::Chunk& chunk, float scale) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < wdt::kHeights; ++i) {
    const bool finite = std::isfinite(chunk.heights.at(i));
    bad += finite ? 0 : 1;
    const Lattice at = lattice_of(chunk, i);
    add_vertex(mesh, at, finite ? double{chunk.heights.at(i)} : 0, scale);
    mesh.uv_sets[1].push_back({static_cast<float>(at.column), static_cast<float>(at.row)});
    mesh.normals.push_back(unit(chunk.normals.at(i)));
  }
  return bad;
}

/// The fan around the middle of a cell, counter-clockwise from above (wdt.md#heights).
void add_cell(Array<std::uint32_t>& indices, std::uint32_t first, std::uint32_t row, std::uint32_t column) {
  const std::uint32_t top_left = first + row * kOuter + column;
  const std::uint32_t middle =
      first + static_cast<std::uint32_t>(wdt::kOuterCount) + row * kCellsPerSide + column;
  const std::uint32_t top_right = top_left + 1;
  const std::uint32_t low_left = top_left + kOuter;
  const std::uint32_t low_right = low_left + 1;
  indices.insert(indices.end(), {top_left, middle, top_right, top_left, low_left, middle, middle, low_left,
                                 low_right, top_right, middle, low_right});
}

void add_part(const wdt::Tile& tile, const ChunkGroups& groups, std::uint32_t group, scene::Mesh& mesh) {
  const auto first = static_cast<scene::Index>(mesh.indices.size());
  for (std::size_t i = 0; i < tile.chunks.size(); ++i) {
    const wdt::Chunk& chunk = tile.chunks[i];
    if (groups.at(chunk.slot % wdt::kChunks) != group) {
      continue;
    }
    for (std::uint32_t cell = 0; cell < kCellsPerSide * kCellsPerSide; ++cell) {
      const std::uint32_t row = cell / kCellsPerSide;
      const std::uint32_t column = cell % kCellsPerSide;
      if (!chunk.has_hole(row, column)) {
        add_cell(mesh.indices, static_cast<std::uint32_t>(i * wdt::kHeights), row, column);
      }
    }
  }
  const auto count = static_cast<scene::Index>(mesh.indices.size()) - first;
  if (count > 0) {
    mesh.parts.push_back({first, count, group});
  }
}

/// The chunk that stands in place of a cell or next to the area.
const wdt::Chunk* near_chunk(const wdl::Area& area, const NearGround& near, std::ptrdiff_t row,
                             std::ptrdiff_t column) {
  const auto across = static_cast<std::ptrdiff_t>(kChunksPerSide);
  const auto map_row = static_cast<std::ptrdiff_t>(area.y()) * across + row;
  const auto map_column = static_cast<std::ptrdiff_t>(area.x()) * across + column;
  return near && map_row >= 0 && map_column >= 0
             ? near(static_cast<std::size_t>(map_row), static_cast<std::size_t>(map_column))
             : nullptr;
}

bool shows_cell(const wdl::Area& area, const NearGround& near, std::size_t row, std::size_t column) {
  return !area.has_hole(row, column) && near_chunk(area, near, static_cast<std::ptrdiff_t>(row),
                                                   static_cast<std::ptrdiff_t>(column)) == nullptr;
}

/// A side of a cell of far terrain, and the row of heights with which a chunk stands against it.
struct Side {
  std::ptrdiff_t down = 0;  ///< to the neighbour
  std::ptrdiff_t right = 0;
  std::size_t row = 0;  ///< corner of the cell at which the side begins
  std::size_t column = 0;
  std::size_t first = 0;  ///< of the chunk's outer heights
  std::size_t step = 0;
};
constexpr std::size_t kLast = wdt::kOuterSide - 1;
constexpr std::array<Side, 4> kSides = {{{-1, 0, 0, 0, kLast* wdt::kOuterSide, 1},
                                         {1, 0, 1, 0, 0, 1},
                                         {0, -1, 0, 0, kLast, wdt::kOuterSide},
                                         {0, 1, 0, 1, 0, wdt::kOuterSide}}};

/// Yards by which walls reach over their ends: what only touches leaves pixels open where numbers are
/// rounded.
constexpr double kOverlap = 0.1;

/// From the sides of a cell to the edges of chunks next to it.
void add_walls(scene::Mesh& mesh, const wdl::Area& area, const NearGround& near, std::size_t row,
               std::size_t column, float scale) {
  for (const Side& side : kSides) {
    const wdt::Chunk* chunk = near_chunk(area, near, static_cast<std::ptrdiff_t>(row) + side.down,
                                         static_cast<std::ptrdiff_t>(column) + side.right);
    if (chunk == nullptr) {
      continue;
    }
    const bool level = side.down != 0;  // it runs from west to east
    const std::size_t y = row + side.row;
    const std::size_t x = column + side.column;
    const double from = area.outer_at(y, x);
    const double to = area.outer_at(y + (level ? 0 : 1), x + (level ? 1 : 0));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::size_t i = 0; i < wdt::kOuterSide; ++i) {
      const auto along = static_cast<double>(i);
      const Lattice at{static_cast<double>(y * kCellsPerSide) + (level ? 0 : along),
                       static_cast<double>(x * kCellsPerSide) + (level ? along : 0)};
      const float height = chunk->heights.at(side.first + i * side.step);
      const double near_height = std::isfinite(height) ? double{height} : 0;
      const double far_height = from + (to - from) * along / static_cast<double>(kLast);
      add_vertex(mesh, at, std::min(near_height, far_height) - kOverlap, scale);
      add_vertex(mesh, at, std::max(near_height, far_height) + kOverlap, scale);
    }
    for (std::uint32_t i = 0; i < kLast; ++i) {
      const std::uint32_t low = first + 2 * i;
      mesh.indices.insert(mesh.indices.end(), {low, low + 1, low + 2, low + 2, low + 1, low + 3});
    }
  }
}

}  // namespace

scene::Mesh ground_mesh(const wdt::Tile& tile, const ChunkGroups& groups, float scale,
                        Diagnostics& diagnostics) {
  scene::Mesh mesh;
  mesh.name = "terrain";
  mesh.uv_sets.resize(2);
  std::size_t bad = 0;
  for (const auto& chunk : tile.chunks) {
    bad += add_chunk(mesh, chunk, scale);
  }
  if (bad > 0) {
    diagnostics.add(codes::kWorldHeight, counted(bad, "non-finite height") + " set to 0", {},
                    "tiles[" + std::to_string(tile.index) + "]");
  }
  std::set<std::uint32_t> used;
  for (const auto& chunk : tile.chunks) {
    used.insert(groups.at(chunk.slot % wdt::kChunks));
  }
  for (const std::uint32_t group : used) {
    add_part(tile, groups, group, mesh);
  }
  return mesh;
}

scene::Mesh far_mesh(const wdl::Area& area, float scale, const NearGround& near) {
  constexpr double kCellsOfChunk = kCellsPerSide;
  scene::Mesh mesh;
  mesh.name = "far terrain";
  mesh.uv_sets.resize(1);
  for (std::size_t i = 0; i < wdl::kOuterCount; ++i) {
    const std::size_t row = i / wdl::kOuterSide;
    const std::size_t column = i % wdl::kOuterSide;
    add_vertex(mesh, {static_cast<double>(row) * kCellsOfChunk, static_cast<double>(column) * kCellsOfChunk},
               area.outer.at(i), scale);
  }
  for (std::size_t i = 0; i < wdl::kInnerCount; ++i) {
    const std::size_t row = i / wdl::kInnerSide;
    const std::size_t column = i % wdl::kInnerSide;
    add_vertex(mesh,
               {(static_cast<double>(row) + 0.5) * kCellsOfChunk,
                (static_cast<double>(column) + 0.5) * kCellsOfChunk},
               area.inner.at(i), scale);
  }
  for (std::uint32_t cell = 0; cell < wdl::kInnerCount; ++cell) {
    const std::uint32_t row = cell / wdl::kInnerSide;
    const std::uint32_t column = cell % wdl::kInnerSide;
    if (!shows_cell(area, near, row, column)) {
      continue;
    }
    const std::uint32_t top_left = row * static_cast<std::uint32_t>(wdl::kOuterSide) + column;
    const std::uint32_t low_left = top_left + static_cast<std::uint32_t>(wdl::kOuterSide);
    const std::uint32_t middle = static_cast<std::uint32_t>(wdl::kOuterCount) + cell;
    mesh.indices.insert(mesh.indices.end(),
                        {top_left, middle, top_left + 1, top_left, low_left, middle, middle, low_left,
                         low_left + 1, top_left + 1, middle, low_left + 1});
  }
  mesh.normals = scene::smooth_normals(mesh);
  if (near) {
    for (std::size_t cell = 0; cell < wdl::kInnerCount; ++cell) {
      if (shows_cell(area, near, cell / wdl::kInnerSide, cell % wdl::kInnerSide)) {
        add_walls(mesh, area, near, cell / wdl::kInnerSide, cell % wdl::kInnerSide, scale);
      }
    }
    mesh.normals.resize(mesh.positions.size(), Vec3{0, 1, 0});
  }
  mesh.parts.push_back({0, static_cast<scene::Index>(mesh.indices.size()), 0});
  return mesh;
}

Value chunk_extras(const wdt::Tile& tile) {
  Value list = Value::List();
  for (const auto& chunk : tile.chunks) {
    Value layers = Value::List();
    for (const auto& layer : chunk.layers) {
      layers.push(Value()
                      .set("texture", layer.texture_id)
                      .set("flags", layer.flags)
                      .set("effect", std::uint32_t{layer.effect_id}));
    }
    list.push(Value()
                  .set("x", static_cast<std::uint32_t>(chunk.slot % kChunksPerSide))
                  .set("y", static_cast<std::uint32_t>(chunk.slot / kChunksPerSide))
                  .set("area", std::uint32_t{chunk.header.area})
                  .set("zone", std::uint32_t{chunk.header.zone})
                  .set("flags", chunk.header.flags)
                  .set("holes", std::uint32_t{chunk.header.holes})
                  .set("layers", std::move(layers)));
  }
  return list;
}

}  // namespace thaw::world
