#include <thaw/world.hpp>

#include "world/indoor.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw::world {
namespace {

constexpr std::uint32_t kTrianglesPerCell = 4;

std::uint32_t ground_triangles(const wdt::Chunk& chunk) {
  std::uint32_t cells = 0;
  for (std::size_t row = 0; row < kCellsPerSide; ++row) {
    for (std::size_t column = 0; column < kCellsPerSide; ++column) {
      cells += chunk.has_hole(row, column) ? 0U : 1U;
    }
  }
  return cells * kTrianglesPerCell;
}

std::uint32_t liquid_triangles(const wdt::Chunk& chunk) {
  std::uint32_t cells = 0;
  for (const auto& liquid : chunk.liquids) {
    for (std::size_t row = 0; row < kCellsPerSide; ++row) {
      for (std::size_t column = 0; column < kCellsPerSide; ++column) {
        cells += liquid.shows(row, column) ? 1U : 0U;
      }
    }
  }
  return cells * 2;
}

Vec3 narrow(const std::array<double, 3>& place) {
  return {static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])};
}

/// Gathers what is seen of one tile after the other.
class Gatherer {
 public:
  Gatherer(const wdt::Map& map, const ViewOptions& options, View& view)
      : options_(options),
        view_(view),
        doodad_names_(wdt::split_names(map.doodad_names)),
        building_names_(wdt::split_names(map.map_object_names)),
        fog_(map, options, view.light ? view.light->fog : std::nullopt) {}

  void add_tile(const wdt::Tile& tile, ViewTile& entry) {
    std::set<std::uint32_t> doodads;
    std::set<std::uint32_t> buildings;
    for (const auto& chunk : tile.chunks) {
      const float distance = distance_to(options_.camera, chunk_box(entry.tile, chunk));
      if (distance > options_.far_clip) {
        continue;
      }
      add_chunk(chunk, distance, entry);
      const auto doodad_indices = chunk.doodad_references();
      const auto building_indices = chunk.map_object_references();
      doodads.insert(doodad_indices.begin(), doodad_indices.end());
      buildings.insert(building_indices.begin(), building_indices.end());
    }
    for (const std::uint32_t i : doodads) {
      if (i < tile.doodads.size()) {
        add_placement(entry.tile, false, tile.doodads[i].name_id, tile.doodads[i].unique_id,
                      narrow(pose_of(tile.doodads[i]).position));
      }
    }
    for (const std::uint32_t i : buildings) {
      if (i < tile.map_objects.size()) {
        add_placement(entry.tile, true, tile.map_objects[i].name_id, tile.map_objects[i].unique_id,
                      narrow(pose_of(tile.map_objects[i]).position));
      }
    }
    for (const wdt::MapObject& object : tile.map_objects) {
      fog_.pass(object);
    }
  }

  /// The building that is the map, however far its middle is.
  void add_map_object(const wdt::MapObject& object) {
    add_placement(std::nullopt, true, object.name_id, object.unique_id, narrow(pose_of_map(object).position));
  }

  /// Once all that is seen is known: where the eye is decides what fog lies between.
  void finish() {
    view_.fog = fog_.fog();
    view_.indoors = fog_.building();
    for (auto& chunk : view_.chunks) {
      veil(chunk.seen);
    }
    for (auto& placement : view_.placements) {
      veil(placement.seen);
    }
  }

 private:
  void veil(Visible& seen) const {
    seen.visibility = view_.fog ? fog_visibility(seen.distance, view_.fog->start, view_.fog->end) : 1.0F;
  }

  void add_chunk(const wdt::Chunk& chunk, float distance, ViewTile& entry) {
    ViewChunk seen;
    seen.tile = entry.tile;
    seen.x = static_cast<std::uint8_t>(chunk.slot % kChunksPerSide);
    seen.y = static_cast<std::uint8_t>(chunk.slot / kChunksPerSide);
    seen.seen.distance = distance;
    seen.upper_layers = upper_layers(distance, options_.texture_detail);
    seen.layers = static_cast<std::uint32_t>(chunk.layers.size());
    seen.triangles = ground_triangles(chunk);
    seen.liquid_triangles = liquid_triangles(chunk);
    const std::uint64_t triangles = std::uint64_t{seen.triangles} + seen.liquid_triangles;
    entry.triangles += triangles;
    view_.triangles += triangles;
    ++entry.chunks;
    view_.chunks.push_back(seen);
  }

  void add_placement(std::optional<TileIndex> tile, bool building, std::uint32_t name_id,
                     std::uint32_t unique_id, const Vec3& position) {
    // An object that crosses a border stands in several tiles.
    if (!placed_.insert({building, unique_id}).second) {
      return;
    }
    const auto& names = building ? building_names_ : doodad_names_;
    view_.placements.push_back({tile,
                                building,
                                name_id < names.size() ? to_utf8(names[name_id]) : "",
                                unique_id,
                                position,
                                {distance_to(options_.camera, {position, position}), 1}});
  }

  const ViewOptions& options_;
  View& view_;
  std::vector<std::string_view> doodad_names_;
  std::vector<std::string_view> building_names_;
  std::set<std::pair<bool, std::uint32_t>> placed_;
  FogAtEye fog_;
};

/// Far terrain is drawn where no tile is loaded (wdl.md#what-the-client-does).
void add_far(const wdl::Document& far, View& view) {
  for (const auto& area : far.areas) {
    const TileIndex tile{static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())};
    const bool loaded = std::any_of(view.tiles.begin(), view.tiles.end(), [&](const ViewTile& entry) {
      return entry.exists && entry.tile == tile;
    });
    if (loaded) {
      continue;
    }
    view.far_tiles.push_back(tile);
    for (std::size_t cell = 0; cell < wdl::kInnerCount; ++cell) {
      const bool hole = area.has_hole(cell / wdl::kInnerSide, cell % wdl::kInnerSide);
      view.far_triangles += hole ? 0 : kTrianglesPerCell;
    }
  }
}

}  // namespace

Box chunk_box(TileIndex tile, const wdt::Chunk& chunk) {
  const Vec3 corner = corner_of(tile, chunk.slot % kChunksPerSide, chunk.slot / kChunksPerSide);
  const auto size = static_cast<float>(kChunkSize);
  Box box{{corner[0] - size, corner[1] - size, 0}, {corner[0], corner[1], 0}};
  bool first = true;
  for (const float height : chunk.heights) {
    if (std::isfinite(height)) {
      box.minimum[2] = first ? height : std::min(box.minimum[2], height);
      box.maximum[2] = first ? height : std::max(box.maximum[2], height);
      first = false;
    }
  }
  return box;
}

namespace {

/// Between the corners of a cell and its middle, `east` and `south` of its north-west corner by shares of it.
float height_in_cell(const wdt::Chunk& chunk, std::size_t row, std::size_t column, float east, float south) {
  constexpr std::size_t kCorners = kCellsPerSide + 1;
  const auto corner = [&](std::size_t down, std::size_t right) {
    return chunk.heights.at((row + down) * kCorners + column + right);
  };
  const float middle = chunk.heights.at(kCorners * kCorners + row * kCellsPerSide + column);
  const float u = east - 0.5F;
  const float v = south - 0.5F;
  // The triangle of one side of the cell: `from` and `to` are its ends, `out` goes to it, `along` from end to
  // end.
  const auto within = [&](float from, float to, float out, float along) {
    return middle + ((from + to) / 2 - middle) * 2 * out + (to - from) * along;
  };
  if (std::fabs(u) <= std::fabs(v)) {
    return v < 0 ? within(corner(0, 0), corner(0, 1), -v, u) : within(corner(1, 0), corner(1, 1), v, u);
  }
  return u < 0 ? within(corner(0, 0), corner(1, 0), -u, v) : within(corner(0, 1), corner(1, 1), u, v);
}

}  // namespace

std::optional<float> ground_at(const wdt::World& world, const Vec3& place, Diagnostics& diagnostics) {
  const auto at = tile_at(place);
  if (!at || !world.has_tile(at->x, at->y)) {
    return std::nullopt;
  }
  const auto tile = world.tile(at->x, at->y, diagnostics);
  const Vec3 corner = corner_of(*at);
  constexpr double kCell = kChunkSize / kCellsPerSide;
  constexpr std::size_t kSide = std::size_t{kChunksPerSide} * kCellsPerSide;
  const double south = (double{corner[0]} - double{place[0]}) / kCell;
  const double east = (double{corner[1]} - double{place[1]}) / kCell;
  const auto row = std::min(static_cast<std::size_t>(std::max(south, 0.0)), kSide - 1);
  const auto column = std::min(static_cast<std::size_t>(std::max(east, 0.0)), kSide - 1);
  const std::size_t slot = row / kCellsPerSide * kChunksPerSide + column / kCellsPerSide;
  for (std::size_t i = 0; tile && i < tile->chunks.size(); ++i) {
    const wdt::Chunk& chunk = tile->chunks[i];
    if (chunk.slot == slot && !chunk.has_hole(row % kCellsPerSide, column % kCellsPerSide)) {
      const float height = height_in_cell(chunk, row % kCellsPerSide, column % kCellsPerSide,
                                          static_cast<float>(east - static_cast<double>(column)),
                                          static_cast<float>(south - static_cast<double>(row)));
      return std::isfinite(height) ? std::optional(height) : std::nullopt;
    }
  }
  return std::nullopt;
}

View view_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
               const ViewOptions& options, Diagnostics& diagnostics) {
  View view;
  view.standing_on = tile_at(options.camera);
  if (lights != nullptr) {
    LightQuery query = options.light;
    query.place = options.camera;
    query.indoor_map = world.map().is_dungeon();
    view.light = light_at(*lights, query);
  }
  Gatherer gatherer(world.map(), options, view);
  if (!world.map().map_objects.empty()) {
    gatherer.add_map_object(world.map().map_objects.front());
  }
  for (const NearTile& near : tiles_within(options.camera, options.far_clip)) {
    ViewTile entry{near.tile, near.distance, false, 0, 0};
    if (world.has_tile(near.tile.x, near.tile.y)) {
      const auto tile = world.tile(near.tile.x, near.tile.y, diagnostics);
      entry.exists = tile.has_value();
      if (tile) {
        gatherer.add_tile(*tile, entry);
      } else {
        diagnostics.add(tile.error());
      }
    }
    view.tiles.push_back(entry);
  }
  gatherer.finish();
  if (far != nullptr) {
    add_far(*far, view);
  }
  return view;
}

}  // namespace thaw::world
