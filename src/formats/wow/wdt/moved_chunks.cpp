#include "formats/wow/wdt/moved_chunks.hpp"

#include <thaw/codes.hpp>

#include "formats/wow/wdt/edges.hpp"
#include "formats/wow/wdt/map_writer.hpp"

#include <algorithm>
#include <set>

namespace thaw::wdt {
namespace {

constexpr std::size_t kSide = kTilesPerSide * kChunksPerSide;  // of the map, in chunks

/// A place counted over the whole map, as findings name it.
std::string path_of(std::size_t x, std::size_t y) {
  return std::to_string(x / kChunksPerSide) + '_' + std::to_string(y / kChunksPerSide) + ".MCNK[" +
         std::to_string(y % kChunksPerSide * kChunksPerSide + x % kChunksPerSide) + ']';
}

/// Why a chunk cannot stand in another tile; empty if it can.
std::string problem(const Chunk& chunk, const Tile& tile, std::size_t textures) {
  if (chunk.frame.remainder.replaces_fields() || !chunk.layers_frame.remainder.empty() ||
      !chunk.references_frame.remainder.empty()) {
    return "a damaged chunk cannot be moved";
  }
  if (chunk.layers.size() > kMostLayers) {
    return "the chunk has " + std::to_string(chunk.layers.size()) + " layers; the client draws up to 4";
  }
  const auto refers_within = [](std::span<const std::uint32_t> references, std::size_t count) {
    return std::all_of(references.begin(), references.end(), [&](std::uint32_t i) { return i < count; });
  };
  const bool whole = std::all_of(chunk.layers.begin(), chunk.layers.end(),
                                 [&](const Layer& layer) { return layer.texture_id < textures; }) &&
                     refers_within(chunk.doodad_references(), tile.doodads.size()) &&
                     refers_within(chunk.map_object_references(), tile.map_objects.size());
  if (!whole) {
    return "the chunk refers to a texture or placement that its tile does not have";
  }
  const std::uint64_t size = size_of(chunk);
  return size < kChunkLimit
             ? ""
             : "the chunk would have " + std::to_string(size) + " bytes; the client's limit is 15000";
}

/// Which placements of a tile some chunk names.
template <class References>
std::vector<bool> named_by(const std::vector<Chunk>& chunks, std::size_t count, References&& references) {
  std::vector<bool> named(count);
  for (const Chunk& chunk : chunks) {
    for (const std::uint32_t reference : references(chunk)) {
      if (reference < count) {
        named[reference] = true;
      }
    }
  }
  return named;
}

/// A kind of placements, and where chunks name them: first the doodads, then the buildings.
constexpr auto kDoodads = [](auto& tile) -> auto& { return tile.doodads; };
constexpr auto kBuildings = [](auto& tile) -> auto& { return tile.map_objects; };
constexpr auto kNamedDoodads = [](const Chunk& chunk) { return chunk.doodad_references(); };
constexpr auto kNamedBuildings = [](const Chunk& chunk) { return chunk.map_object_references(); };

/// Puts placements into a tile, each once.
template <class Placement>
class Added {
 public:
  Added(const std::vector<Placement>& from, std::vector<Placement>& to) : from_(from), to_(to) {}

  std::uint32_t add(std::uint32_t number) {
    const auto [entry, fresh] = numbers_.try_emplace(number);
    if (fresh) {
      entry->second = find_or_add(from_[number]);
    }
    return entry->second;
  }

 private:
  /// The same thing in the same place is what an earlier state of the map had, whatever its id.
  std::uint32_t find_or_add(const Placement& placement) {
    const auto same = std::find_if(to_.begin(), to_.end(), [&](Placement other) {
      other.unique_id = placement.unique_id;
      return other == placement;
    });
    const auto number = static_cast<std::uint32_t>(same - to_.begin());
    if (same == to_.end()) {
      to_.push_back(placement);
    }
    return number;
  }

  const std::vector<Placement>& from_;
  std::vector<Placement>& to_;
  std::map<std::uint32_t, std::uint32_t> numbers_;
};

/// Drops what chunks named before and none names now; returns the new number of each.
template <class Placement>
std::vector<std::uint32_t> drop_unnamed(std::vector<Placement>& placements, const std::vector<bool>& before,
                                        const std::vector<bool>& now) {
  std::vector<std::uint32_t> numbers(placements.size());
  std::size_t retained = 0;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    numbers[i] = static_cast<std::uint32_t>(retained);
    if (now[i] || i >= before.size() || !before[i]) {
      placements[retained++] = placements[i];
    }
  }
  placements.resize(retained);
  return numbers;
}

/// The textures of a tile, to which others are added.
class Textures {
 public:
  explicit Textures(const Array<char>& table) {
    for (const std::string_view name : split_names(table)) {
      names_.emplace_back(name);
    }
  }
  std::uint32_t add(std::string_view name) {
    const auto same = std::find(names_.begin(), names_.end(), name);
    const auto number = static_cast<std::uint32_t>(same - names_.begin());
    if (same == names_.end()) {
      names_.emplace_back(name);
      grown_ = true;
    }
    return number;
  }
  /// A table that has all keeps its bytes.
  void give_to(Tile& tile) const {
    if (grown_) {
      tile.textures = join_names({names_.begin(), names_.end()});
    }
  }

 private:
  std::vector<std::string> names_;
  bool grown_ = false;
};

Chunk& slot_of(Tile& tile, std::uint16_t slot) {
  const auto at =
      std::lower_bound(tile.chunks.begin(), tile.chunks.end(), slot,
                       [](const Chunk& chunk, std::uint16_t requested) { return chunk.slot < requested; });
  if (at != tile.chunks.end() && at->slot == slot) {
    return *at;
  }
  return *tile.chunks.insert(at, Chunk());
}

}  // namespace

Result<MovedChunks> MovedChunks::of(Tile from, const ChunkMove& move) {
  MovedChunks moved(std::move(from));
  const Tile& tile = moved.from_;
  const std::size_t textures = split_names(tile.textures).size();
  for (std::size_t y = move.first_y; y <= move.last_y; ++y) {
    for (std::size_t x = move.first_x; x <= move.last_x; ++x) {
      const std::string path = path_of(tile.x() * kChunksPerSide + x, tile.y() * kChunksPerSide + y);
      const Chunk* chunk = tile.chunk(x, y);
      const auto column = static_cast<std::ptrdiff_t>(move.tile.x * kChunksPerSide + x) + move.east;
      const auto row = static_cast<std::ptrdiff_t>(move.tile.y * kChunksPerSide + y) + move.south;
      const auto adjacent = [](std::ptrdiff_t at) {
        return at < 0 || at >= static_cast<std::ptrdiff_t>(kSide);
      };
      const std::string why = chunk == nullptr                    ? "the chunk does not exist"
                              : adjacent(column) || adjacent(row) ? "the chunk would be outside the map"
                                                                  : problem(*chunk, tile, textures);
      if (!why.empty()) {
        return fail(codes::kWriteUnsupported, why, {}, path);
      }
      moved.chunks_.emplace(std::pair(static_cast<std::size_t>(row), static_cast<std::size_t>(column)),
                            chunk);
    }
  }
  return moved;
}

std::vector<std::size_t> MovedChunks::tiles() const {
  std::set<std::size_t> found;
  for (const auto& [place, chunk] : chunks_) {
    found.insert(place.first / kChunksPerSide * kTilesPerSide + place.second / kChunksPerSide);
  }
  return {found.begin(), found.end()};
}

const Chunk* MovedChunks::at(std::size_t x, std::size_t y) const {
  const auto found = chunks_.find({y, x});
  return found == chunks_.end() ? nullptr : found->second;
}

std::size_t MovedChunks::put_into(Tile& to) const {
  const auto named = [&](const auto& placements, const auto& references) {
    return named_by(to.chunks, placements(to).size(), references);
  };
  const auto doodads_before = named(kDoodads, kNamedDoodads);
  const auto buildings_before = named(kBuildings, kNamedBuildings);
  const auto names = split_names(from_.textures);
  Textures textures(to.textures);
  Added doodads(from_.doodads, to.doodads);
  Added buildings(from_.map_objects, to.map_objects);
  for (const auto& [place, source] : chunks_) {
    const auto [row, column] = place;
    if (column / kChunksPerSide != to.x() || row / kChunksPerSide != to.y()) {
      continue;
    }
    const auto slot =
        static_cast<std::uint16_t>(row % kChunksPerSide * kChunksPerSide + column % kChunksPerSide);
    Chunk& chunk = slot_of(to, slot) = *source;
    chunk.slot = slot;
    chunk.header.x = static_cast<std::uint32_t>(column % kChunksPerSide);
    chunk.header.y = static_cast<std::uint32_t>(row % kChunksPerSide);
    for (Layer& layer : chunk.layers) {
      layer.texture_id = textures.add(names[layer.texture_id]);
    }
    const std::size_t split = source->doodad_references().size();
    for (std::size_t i = 0; i < chunk.references.size(); ++i) {
      std::uint32_t& reference = chunk.references[i];
      reference = i < split ? doodads.add(reference) : buildings.add(reference);
    }
  }
  textures.give_to(to);
  const std::size_t placements = to.doodads.size() + to.map_objects.size();
  const auto doodads_now = named(kDoodads, kNamedDoodads);
  const auto buildings_now = named(kBuildings, kNamedBuildings);
  const auto doodad_numbers = drop_unnamed(to.doodads, doodads_before, doodads_now);
  const auto building_numbers = drop_unnamed(to.map_objects, buildings_before, buildings_now);
  for (Chunk& chunk : to.chunks) {
    const std::size_t split = chunk.doodad_references().size();
    for (std::size_t i = 0; i < chunk.references.size(); ++i) {
      const auto& numbers = i < split ? doodad_numbers : building_numbers;
      std::uint32_t& reference = chunk.references[i];
      reference = reference < numbers.size() ? numbers[reference] : reference;
    }
  }
  return placements - to.doodads.size() - to.map_objects.size();
}

void MovedChunks::put_into(wdl::Area& area) const {
  const auto yards = [](float height) {
    return static_cast<std::int16_t>(std::clamp(std::round(height), -32768.0F, 32767.0F));
  };
  const std::size_t left = area.x() * kChunksPerSide;
  const std::size_t top = area.y() * kChunksPerSide;
  for (const auto& [place, chunk] : chunks_) {
    const auto [row, column] = place;
    // An edge is that of the tile next to it, too.
    for (const auto& [down, right] :
         {std::pair(0U, 0U), std::pair(0U, 1U), std::pair(1U, 0U), std::pair(1U, 1U)}) {
      if (row + down >= top && row + down - top < wdl::kOuterSide && column + right >= left &&
          column + right - left < wdl::kOuterSide) {
        area.outer.at((row + down - top) * wdl::kOuterSide + column + right - left) =
            yards(chunk->outer(down * kCellsPerSide, right * kCellsPerSide));
      }
    }
    if (row / kChunksPerSide == area.y() && column / kChunksPerSide == area.x()) {
      area.inner.at((row - top) * wdl::kInnerSide + column - left) =
          yards(chunk->outer(kCellsPerSide / 2, kCellsPerSide / 2));
    }
  }
}

OpenEdges MovedChunks::open_edges(
    const std::function<const Chunk*(std::size_t x, std::size_t y)>& other) const {
  OpenEdges edges;
  const auto note = [&](float step, std::size_t x, std::size_t y) {
    if (step <= kEdgeTolerance) {
      return;
    }
    ++edges.count;
    if (step > edges.most) {
      edges.most = step;
      edges.where = path_of(x, y);
    }
  };
  for (const auto& [place, chunk] : chunks_) {
    const auto [y, x] = place;
    const auto neighbour = [&](std::size_t column, std::size_t row) -> const Chunk* {
      const bool outside = column >= kSide || row >= kSide || at(column, row) != nullptr;
      return outside ? nullptr : other(column, row);
    };
    // Those that moved together meet as they did, or did not.
    if (const Chunk* east = neighbour(x + 1, y)) {
      note(step_eastward(*chunk, *east), x, y);
    }
    if (const Chunk* west = neighbour(x - 1, y)) {
      note(step_eastward(*west, *chunk), x, y);
    }
    if (const Chunk* south = neighbour(x, y + 1)) {
      note(step_southward(*chunk, *south), x, y);
    }
    if (const Chunk* north = neighbour(x, y - 1)) {
      note(step_southward(*north, *chunk), x, y);
    }
  }
  return edges;
}

}  // namespace thaw::wdt
