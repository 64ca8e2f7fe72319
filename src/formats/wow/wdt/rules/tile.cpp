// Tiles: their header, tables, placements, and how chunks meet.
#include "bytes/finite.hpp"
#include "formats/wow/wdt/edges.hpp"
#include "formats/wow/wdt/rules/table.hpp"

#include <cmath>
#include <map>

namespace thaw::wdt::rules {
namespace {

void header(const Subject& subject, Report& report) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    const bool whole = tile.header_frame.present && tile.header_frame.remainder.empty() &&
                       tile.header.chunk_table_offset == 64;
    if (!whole) {
      report.add(tile_path(number, "MHDR"), !tile.header_frame.present ? "MHDR is missing"
                                            : !tile.header_frame.remainder.empty()
                                                ? "the size of MHDR is not 64 bytes"
                                                : "MCIN does not follow MHDR");
    }
    if (tile.chunk_table.size() != kChunks || !tile.chunk_table_frame.remainder.empty()) {
      report.add(tile_path(number, "MCIN"), "the size of MCIN is not 4096 bytes");
    }
  });
}

void header_sizes(const Subject& subject, Report& report) {
  constexpr std::uint64_t kHead = 8;
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    const auto check = [&](const char* field, std::uint64_t stated, std::uint64_t expected, bool zero) {
      if (stated != expected && !(zero && stated == 0)) {
        report.add(tile_path(number, field), say("MHDR states a size of ", stated, " instead of ", expected));
      }
    };
    const std::uint64_t doodads = tile.doodads.size() * Doodad::kRecordSize;
    const std::uint64_t objects = tile.map_objects.size() * MapObject::kRecordSize;
    check("MHDR.texturesSize", tile.header.textures_size, kHead + tile.textures.size(), false);
    check("MHDR.doodadsSize", tile.header.doodads_size, kHead + doodads, doodads == 0);
    check("MHDR.mapObjectsSize", tile.header.map_objects_size, kHead + objects, objects == 0);
  });
}

void records(const Subject& subject, Report& report) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    if (!tile.doodads_frame.remainder.empty()) {
      report.add(tile_path(number, "MDDF"), "the size of MDDF is not a multiple of 36");
    }
    if (!tile.map_objects_frame.remainder.empty()) {
      report.add(tile_path(number, "MODF"), "the size of MODF is not a multiple of 64");
    }
  });
}

void missing_chunks(const Subject& subject, Report& report) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    if (tile.chunks.size() != kChunks) {
      report.add(tile_path(number, "MCNK"),
                 say(name_of(tile), " has ", tile.chunks.size(), " of 256 chunks"));
    }
  });
}

/// Bytes of a chunk in the file, with its head.
std::uint64_t size_of(const PlacedChunk& placed) {
  const Chunk& chunk = placed.chunk;
  return 8 + Chunk::kMinPayload + chunk.layers.size() * Layer::kRecordSize +
         chunk.layers_frame.remainder.bytes.size() + chunk.references.size() * 4 +
         chunk.references_frame.remainder.bytes.size() + chunk.shadow.size() + chunk.alpha.size() +
         chunk.liquids.size() * Liquid::kRecordSize + chunk.emitters.size() * SoundEmitter::kRecordSize +
         chunk.frame.remainder.bytes.size();
}

std::string entry_path(const PlacedChunk& placed) {
  return at(tile_path(placed.tile_number, "MCIN.chunks"), placed.chunk.slot);
}

void chunk_size(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    const auto stated = placed.tile.chunk_table[placed.chunk.slot].size;
    if (stated != size_of(placed)) {
      report.add(entry_path(placed),
                 say("MCIN states ", stated, " bytes, but the chunk has ", size_of(placed)));
    }
  });
}

void chunk_limit(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    const std::uint64_t stated = placed.tile.chunk_table[placed.chunk.slot].size;
    const std::uint64_t size = size_of(placed);
    if (std::max(size, stated) >= kChunkLimit) {
      report.add(entry_path(placed),
                 size >= kChunkLimit
                     ? say("the chunk has ", size, " bytes; the client stops at ", kChunkLimit)
                     : say("MCIN states a size of ", stated, " bytes; the client stops at ", kChunkLimit));
    }
  });
}

/// Calls `use(placement, path)` for doodads and map objects of all tiles.
template <class F>
void for_each_placement(const Subject& subject, F&& use) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    for (std::size_t i = 0; i < tile.doodads.size(); ++i) {
      use(tile.doodads[i], [&] { return at(tile_path(number, "MDDF"), i); });
    }
    for (std::size_t i = 0; i < tile.map_objects.size(); ++i) {
      use(tile.map_objects[i], [&] { return at(tile_path(number, "MODF"), i); });
    }
  });
}

template <class T>
inline constexpr bool kIsDoodad = std::is_same_v<T, Doodad>;

void name_id(const Subject& subject, Report& report) {
  const std::size_t doodads = split_names(subject.document.map.doodad_names).size();
  const std::size_t objects = split_names(subject.document.map.map_object_names).size();
  for_each_placement(subject, [&](const auto& placement, auto&& path) {
    const std::size_t count = kIsDoodad<std::decay_t<decltype(placement)>> ? doodads : objects;
    if (placement.name_id >= count) {
      report.add(path() + ".nameId",
                 say("name ", placement.name_id, " does not exist; the count is ", count));
    }
  });
}

template <class List>
void find_repeated(const List& list, const std::string& path, Report& report) {
  std::map<std::uint32_t, std::size_t> first;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto [found, fresh] = first.emplace(list[i].unique_id, i);
    if (!fresh) {
      report.add(at(path, i) + ".uniqueId",
                 say("id ", list[i].unique_id, " is also used by placement ", found->second));
    }
  }
}

void unique_id(const Subject& subject, Report& report) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    find_repeated(tile.doodads, tile_path(number, "MDDF"), report);
    find_repeated(tile.map_objects, tile_path(number, "MODF"), report);
  });
}

void unreferenced(const Subject& subject, Report& report) {
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    std::vector<bool> doodads(tile.doodads.size());
    std::vector<bool> objects(tile.map_objects.size());
    const auto mark = [](std::span<const std::uint32_t> references, std::vector<bool>& used) {
      for (const auto reference : references) {
        if (reference < used.size()) {
          used[reference] = true;
        }
      }
    };
    for (const Chunk& chunk : tile.chunks) {
      mark(chunk.doodad_references(), doodads);
      mark(chunk.map_object_references(), objects);
    }
    const auto report_unused = [&](const std::vector<bool>& used, const char* list) {
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) {
          report.add(at(tile_path(number, list), i), "no chunk refers to the placement");
        }
      }
    };
    report_unused(doodads, "MDDF");
    report_unused(objects, "MODF");
  });
}

std::string_view fault_of(const Doodad& doodad) {
  return doodad.scale == 0 ? "the scale is 0"
         : all_finite(doodad.position) && all_finite(doodad.rotation)
             ? ""
             : "the position or rotation is not finite";
}

std::string_view fault_of(const MapObject& object) {
  if (!all_finite(object.position) || !all_finite(object.rotation)) {
    return "the position or rotation is not finite";
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(object.box_minimum.at(axis) <= object.box_maximum.at(axis))) {
      return "the minimum of the bounding box is above its maximum, or one of them is not a number";
    }
  }
  return "";
}

void placement(const Subject& subject, Report& report) {
  for_each_placement(subject, [&](const auto& placed, auto&& path) {
    if (const auto fault = fault_of(placed); !fault.empty()) {
      report.add(path(), std::string(fault));
    }
  });
}

/// The chunk at a place counted over the whole map, or null.
const Chunk* chunk_at(const Document& document, std::size_t x, std::size_t y) {
  const Tile* tile = document.tile(x / kChunksPerSide, y / kChunksPerSide);
  const Chunk* chunk = tile != nullptr ? tile->chunk(x % kChunksPerSide, y % kChunksPerSide) : nullptr;
  return chunk != nullptr && !chunk->frame.remainder.replaces_fields() ? chunk : nullptr;
}

void edges(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    const Chunk& chunk = placed.chunk;
    const std::size_t x = placed.tile.x() * kChunksPerSide + chunk.slot % kChunksPerSide;
    const std::size_t y = placed.tile.y() * kChunksPerSide + chunk.slot / kChunksPerSide;
    const auto report_step = [&](float step, const char* where) {
      if (step > kEdgeTolerance) {
        report.add(placed.path("heights"), say("in ", name_of(placed.tile), ", the heights differ by up to ",
                                               step, " yards from the chunk ", where));
      }
    };
    if (const Chunk* east = chunk_at(subject.document, x + 1, y)) {
      report_step(step_eastward(chunk, *east), "to the east");
    }
    if (const Chunk* south = chunk_at(subject.document, x, y + 1)) {
      report_step(step_southward(chunk, *south), "to the south");
    }
  });
}

constexpr std::array kTileRules = {
    MapRule("tile.header", always(kError), "wrong size or position of MHDR or MCIN",
            "MHDR must have 64 bytes and be followed by MCIN with 4096 bytes; otherwise the client fails. "
            "Write the map again.",
            header),
    MapRule("tile.header-size", always(kWarning), "size of MTEX, MDDF or MODF in MHDR differs from the chunk",
            "Sizes include the 8-byte header; those of empty placement lists may be 0. Set the chunk's size.",
            header_sizes),
    MapRule(
        "tile.records", always(kError), "truncated placements",
        "MDDF has records of 36 bytes, MODF of 64. The last placement is not read. Complete or remove it.",
        records),
    MapRule("tile.chunk-missing", always(kError), "tile with missing chunks",
            "MCIN must refer to 256 MCNK; the terrain has a hole in place of each missing one. Write the map "
            "again.",
            missing_chunks),
    MapRule("tile.chunk-size", always(kError), "MCIN size differs from the chunk's",
            "The size includes the 8-byte header. Set the size of the chunk.", chunk_size),
    MapRule(
        "tile.chunk-limit", always(kError), "chunk of 15000 bytes or more",
        "The client stops. Remove references: not every chunk that a map object overlaps has to refer to it.",
        chunk_limit),
    MapRule("tile.name-id", always(kError), "placement without a name",
            "Ids are indices into MDNM and MONM; without a name nothing is drawn. Correct the id, or remove "
            "the placement.",
            name_id),
    MapRule("tile.unique-id", always(kWarning), "duplicate placement id in a tile",
            "The client treats them as one object. The same id in several tiles is an object that crosses "
            "their border. Give each placement of a tile a different id.",
            unique_id),
    MapRule("tile.unreferenced", always(kWarning), "placement never drawn",
            "The client draws only placements in a chunk's MCRF. Refer to it there, or remove the placement.",
            unreferenced),
    MapRule("tile.placement", always(kWarning), "invalid scale, position, rotation or box of a placement",
            "The scale must be above 0, position and rotation finite, and the box's minimum not above its "
            "maximum. Correct the value.",
            placement),
    MapRule(
        "tile.edge", always(kWarning), "height step between neighbouring chunks",
        "The terrain has a gap. Both chunks must have the same heights along a shared edge, to 0.001 yards.",
        edges),
};

}  // namespace

std::span<const MapRule> tile_rules() { return kTileRules; }

}  // namespace thaw::wdt::rules
