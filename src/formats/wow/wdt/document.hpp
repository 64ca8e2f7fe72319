// The layout of alpha maps, each structure once. See wdt.md#structure.
#pragma once

#include <thaw/wdt.hpp>

#include "describe/framed.hpp"
#include "describe/links.hpp"
#include "describe/reader.hpp"

#include <algorithm>

namespace thaw {

template <>
struct ScalarOf<wdt::TileEntry, false, false> {
  using type = std::uint32_t;
};
template <>
struct ScalarOf<wdt::ChunkEntry, false, false> {
  using type = std::uint32_t;
};

}  // namespace thaw

namespace thaw::wdt {

/// A WoW Alpha map, not one of a later client.
Recognition recognition(ByteView bytes);

struct Context {
  /// Where in the file the tile begins that is described: offsets of chunks are the file's.
  std::uint64_t tile_offset = 0;
  /// A tile is read up to its chunks.
  bool head_only = false;
};

/// Liquids of a chunk with these flags.
constexpr std::size_t liquid_count(std::uint32_t flags) {
  return (flags >> 2U & 1U) + (flags >> 3U & 1U) + (flags >> 4U & 1U) + (flags >> 5U & 1U);
}

/// Bytes of the file that belong to each tile, by index: from its MHDR to the next tile or the end of the
/// file (wdt.md#tile-order). 0 where there is none, or where its place is another's or outside the file.
Array<std::uint64_t> tile_extents(const Map& map, std::uint64_t file_size);

/// A part of a file that is there. Errors: input.too-large, input.unreadable.
Result<Bytes> read_bytes(const Storage& storage, std::uint64_t at, std::uint64_t size, const Limits& limits);

template <class V>
void describe(V& v, As<V, Header>& header) {
  v.field("doodadNameCount", header.doodad_name_count);
  v.field("doodadNamesOffset", header.doodad_names_offset);
  v.field("mapObjectNameCount", header.map_object_name_count);
  v.field("mapObjectNamesOffset", header.map_object_names_offset);
  v.field("pad", header.pad);
}

template <class V>
void describe(V& v, As<V, MapObject>& object) {
  v.field("nameId", object.name_id);
  v.field("uniqueId", object.unique_id);
  v.field("position", object.position);
  v.field("rotation", object.rotation);
  v.field("boxMinimum", object.box_minimum);
  v.field("boxMaximum", object.box_maximum);
  v.field("flags", object.flags);
  v.field("doodadSet", object.doodad_set);
  v.field("nameSet", object.name_set);
  v.field("pad", object.pad);
}

template <class V>
void describe(V& v, As<V, Doodad>& doodad) {
  v.field("nameId", doodad.name_id);
  v.field("uniqueId", doodad.unique_id);
  v.field("position", doodad.position);
  v.field("rotation", doodad.rotation);
  v.field("scale", doodad.scale);
  v.field("flags", doodad.flags);
}

/// A part that a field states to lie here.
template <class V>
void stated_here(V& v, const char* name, const std::uint32_t& field, std::uint64_t base) {
  v.expect_at(name, base + field);
  points(v, field, base + field);
}

template <class V>
void describe(V& v, As<V, Map>& map) {
  framed<V>(v, FourCC{"MVER"}, map.version_frame, [&] { v.field("version", map.version); });
  framed<V>(v, FourCC{"MPHD"}, map.header_frame, [&] { describe(v, map.header); });
  framed<V>(v, FourCC{"MAIN"}, map.tiles_frame, [&] {
    std::size_t count = map.tiles.size();
    if constexpr (V::kReads) {
      count = std::min(kTiles, v.left() / sizeof(TileEntry));
    }
    v.bulk("tiles", map.tiles, count);
  });
  if (map.header_frame.present) {
    stated_here(v, "MPHD.doodadNamesOffset", map.header.doodad_names_offset, 0);
  }
  framed<V>(v, FourCC{"MDNM"}, map.doodad_names_frame,
            [&] { strings_to_end<V>(v, "names", map.doodad_names); });
  if (map.header_frame.present) {
    stated_here(v, "MPHD.mapObjectNamesOffset", map.header.map_object_names_offset, 0);
  }
  framed<V>(v, FourCC{"MONM"}, map.map_object_names_frame,
            [&] { strings_to_end<V>(v, "names", map.map_object_names); });
  framed<V>(v, FourCC{"MODF"}, map.map_objects_frame, Presence::optional,
            [&] { v.records("", map.map_objects); });
}

template <class V>
void describe(V& v, As<V, TileHeader>& header) {
  v.field("chunkTableOffset", header.chunk_table_offset);
  v.field("texturesOffset", header.textures_offset);
  v.field("texturesSize", header.textures_size);
  v.field("doodadsOffset", header.doodads_offset);
  v.field("doodadsSize", header.doodads_size);
  v.field("mapObjectsOffset", header.map_objects_offset);
  v.field("mapObjectsSize", header.map_objects_size);
  v.field("pad", header.pad);
}

template <class V>
void describe(V& v, As<V, Layer>& layer) {
  v.field("textureId", layer.texture_id);
  v.field("flags", layer.flags);
  v.field("alphaOffset", layer.alpha_offset);
  v.field("effectId", layer.effect_id);
  v.field("pad", layer.pad);
}

template <class V>
void describe(V& v, As<V, LiquidVertex>& vertex) {
  v.field("data", vertex.data);
  v.field("height", vertex.height);
}

template <class V>
void describe(V& v, As<V, FlowVector>& flow) {
  v.field("center", flow.center);
  v.field("radius", flow.radius);
  v.field("direction", flow.direction);
  v.field("velocity", flow.velocity);
  v.field("amplitude", flow.amplitude);
  v.field("frequency", flow.frequency);
}

template <class V>
void describe(V& v, As<V, Liquid>& liquid) {
  v.field("minimum", liquid.minimum);
  v.field("maximum", liquid.maximum);
  v.array_of("vertices", liquid.vertices);
  v.field("cells", liquid.cells);
  v.field("flowCount", liquid.flow_count);
  v.array_of("flows", liquid.flows);
}

template <class V>
void describe(V& v, As<V, SoundEmitter>& emitter) {
  v.field("soundPointId", emitter.sound_point_id);
  v.field("soundNameId", emitter.sound_name_id);
  v.field("position", emitter.position);
  v.field("minimumDistance", emitter.minimum_distance);
  v.field("maximumDistance", emitter.maximum_distance);
  v.field("cutoffDistance", emitter.cutoff_distance);
  v.field("startTime", emitter.start_time);
  v.field("endTime", emitter.end_time);
  v.field("mode", emitter.mode);
  v.field("groupSilenceMinimum", emitter.group_silence_minimum);
  v.field("groupSilenceMaximum", emitter.group_silence_maximum);
  v.field("playInstancesMinimum", emitter.play_instances_minimum);
  v.field("playInstancesMaximum", emitter.play_instances_maximum);
  v.field("loopCountMinimum", emitter.loop_count_minimum);
  v.field("loopCountMaximum", emitter.loop_count_maximum);
  v.field("soundGapMinimum", emitter.sound_gap_minimum);
  v.field("soundGapMaximum", emitter.sound_gap_maximum);
}

template <class V>
void describe(V& v, As<V, ChunkHeader>& header) {
  v.field("flags", header.flags);
  v.field("x", header.x);
  v.field("y", header.y);
  v.field("radius", header.radius);
  v.field("layerCount", header.layer_count);
  v.field("doodadReferenceCount", header.doodad_reference_count);
  v.field("heightsOffset", header.heights_offset);
  v.field("normalsOffset", header.normals_offset);
  v.field("layersOffset", header.layers_offset);
  v.field("referencesOffset", header.references_offset);
  v.field("alphaOffset", header.alpha_offset);
  v.field("alphaSize", header.alpha_size);
  v.field("shadowOffset", header.shadow_offset);
  v.field("shadowSize", header.shadow_size);
  v.field("area", header.area);
  v.field("zone", header.zone);
  v.field("mapObjectReferenceCount", header.map_object_reference_count);
  v.field("holes", header.holes);
  v.field("holesPad", header.holes_pad);
  v.field("predominantLayers", header.predominant_layers);
  v.field("noEffectDoodads", header.no_effect_doodads);
  v.field("soundEmittersOffset", header.sound_emitters_offset);
  v.field("soundEmitterCount", header.sound_emitter_count);
  v.field("liquidOffset", header.liquid_offset);
  v.field("pad", header.pad);
}

/// Only MCLY and MCRF have heads; everything is found by order, and the header's offsets are checked.
template <class V>
void describe_parts(V& v, As<V, Chunk>& chunk) {
  v.object("header", chunk.header);
  const ChunkHeader& header = chunk.header;
  const std::uint64_t base = v.offset();
  stated_here(v, "header.heightsOffset", header.heights_offset, base);
  v.field("heights", chunk.heights);
  stated_here(v, "header.normalsOffset", header.normals_offset, base);
  v.field("normals", chunk.normals);
  v.field("normalsPad", chunk.normals_pad);
  stated_here(v, "header.layersOffset", header.layers_offset, base);
  framed<V>(v, FourCC{"MCLY"}, chunk.layers_frame, [&] { v.records("", chunk.layers); });
  stated_here(v, "header.referencesOffset", header.references_offset, base);
  framed<V>(v, FourCC{"MCRF"}, chunk.references_frame,
            [&] { bulk_to_end(v, "references", chunk.references); });
  stated_here(v, "header.shadowOffset", header.shadow_offset, base);
  counts(v, header.shadow_size, chunk.shadow);
  v.bulk("shadow", chunk.shadow, header.shadow_size);
  stated_here(v, "header.alphaOffset", header.alpha_offset, base);
  counts(v, header.alpha_size, chunk.alpha);
  v.bulk("alpha", chunk.alpha, header.alpha_size);
  stated_here(v, "header.liquidOffset", header.liquid_offset, base);
  v.list("liquids", chunk.liquids, liquid_count(header.flags));
  stated_here(v, "header.soundEmittersOffset", header.sound_emitters_offset, base);
  v.list("emitters", chunk.emitters, header.sound_emitter_count);
}

template <class V>
void describe(V& v, As<V, Chunk>& chunk) {
  framed_content<V>(v, FourCC{"MCNK"}, chunk.frame, [&] { describe_parts(v, chunk); });
}

/// Everything of a tile before its chunks.
template <class V>
void describe_head(V& v, As<V, Tile>& tile) {
  const std::uint64_t base = v.offset() + 8;
  spans(v, tile.header.textures_size, base + tile.header.textures_offset);
  spans(v, tile.header.doodads_size, base + tile.header.doodads_offset);
  spans(v, tile.header.map_objects_size, base + tile.header.map_objects_offset);
  framed<V>(v, FourCC{"MHDR"}, tile.header_frame, [&] { describe(v, tile.header); });
  stated_here(v, "MHDR.chunkTableOffset", tile.header.chunk_table_offset, base);
  framed<V>(v, FourCC{"MCIN"}, tile.chunk_table_frame, [&] {
    std::size_t count = tile.chunk_table.size();
    if constexpr (V::kReads) {
      count = std::min(kChunks, v.left() / sizeof(ChunkEntry));
    }
    v.bulk("chunks", tile.chunk_table, count);
  });
  stated_here(v, "MHDR.texturesOffset", tile.header.textures_offset, base);
  framed<V>(v, FourCC{"MTEX"}, tile.textures_frame, [&] { strings_to_end<V>(v, "names", tile.textures); });
  stated_here(v, "MHDR.doodadsOffset", tile.header.doodads_offset, base);
  framed<V>(v, FourCC{"MDDF"}, tile.doodads_frame, [&] { v.records("", tile.doodads); });
  stated_here(v, "MHDR.mapObjectsOffset", tile.header.map_objects_offset, base);
  framed<V>(v, FourCC{"MODF"}, tile.map_objects_frame, [&] { v.records("", tile.map_objects); });
}

/// The chunks that the table leads to: a place in the tile, and its size with the head.
struct ChunkExtent {
  std::uint64_t at = 0;
  std::uint64_t size = 0;
  std::uint16_t slot = 0;
};

/// Those that can be read. `note(slot, code, message)` receives the others.
template <class F>
std::vector<ChunkExtent> chunk_places(ByteView tile, const Array<ChunkEntry>& table,
                                      std::uint64_t tile_offset, F&& note) {
  constexpr std::uint64_t kHead = 8;
  constexpr FourCC kTag = backwards(FourCC{"MCNK"});
  std::vector<ChunkExtent> places;
  for (std::size_t slot = 0; slot < table.size(); ++slot) {
    const std::uint64_t at = table[slot].offset - tile_offset;
    if (table[slot].offset < tile_offset || at + kHead > tile.size()) {
      note(slot, codes::kOffsetInvalid, "the chunk is outside its tile; not read");
      continue;
    }
    if (std::memcmp(tile.data() + at, kTag.bytes.data(), kTag.bytes.size()) != 0) {
      note(slot, codes::kTagExpected, "no MCNK at the offset in MCIN; preserved as bytes");
      continue;
    }
    const std::uint64_t stated = kHead + load_plain<std::uint32_t>(tile.data() + at + 4);
    const std::uint64_t size = std::min(stated, tile.size() - at);
    if (size < kHead + Chunk::kMinPayload) {
      note(slot, codes::kSizeInvalid,
           "the chunk is too small for its heights and normals; preserved as bytes");
      continue;
    }
    const bool free = std::none_of(places.begin(), places.end(), [&](const ChunkExtent& other) {
      return at < other.at + other.size && other.at < at + size;
    });
    if (!free) {
      note(slot, codes::kOverlap, "the chunk shares bytes with another; not read");
      continue;
    }
    places.push_back({at, size, static_cast<std::uint16_t>(slot)});
  }
  return places;
}

template <class V>
void describe_chunks(V& v, As<V, Tile>& tile) {
  const std::uint64_t origin = v.context().tile_offset;
  std::vector<ChunkExtent> places;
  if constexpr (V::kReads) {
    places = chunk_places(v.region_bytes(), tile.chunk_table, origin,
                          [&](std::size_t slot, Code code, const char* message) {
                            v.note(code, ("MCIN.chunks[" + std::to_string(slot) + "]").c_str(), message);
                          });
    tile.chunks.resize(places.size());
  } else {
    places.resize(tile.chunks.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].slot = tile.chunks[i].slot;
      places[i].at = tile.chunk_table[places[i].slot].offset - origin;
    }
  }
  v.blocks("MCNK", places.size(), [&](std::size_t i) {
    if constexpr (V::kReads) {
      tile.chunks[i].slot = places[i].slot;
    }
    points(v, tile.chunk_table[places[i].slot].offset, places[i].at);
    spans(v, tile.chunk_table[places[i].slot].size, places[i].at);
    v.block("", places[i].at, places[i].size, [&] { describe(v, tile.chunks[i]); });
  });
}

template <class V>
void describe(V& v, As<V, Tile>& tile) {
  v.region([&] {
    describe_head(v, tile);
    if (!v.context().head_only) {
      describe_chunks(v, tile);
      v.gaps("gaps", tile.gaps);
    }
  });
}

/// Tiles that the map has and the file has not: `report(index)`.
template <class F>
void for_each_lost_tile(const Map& map, std::uint64_t file_size, F&& report) {
  for (std::size_t i = 0; i < map.tiles.size(); ++i) {
    if (map.tiles[i].exists() && map.tiles[i].offset >= file_size) {
      report(Diagnostic{codes::kOffsetInvalid,
                        {},
                        "MAIN.tiles[" + std::to_string(i) + "]",
                        "the offset of the tile (" + std::to_string(map.tiles[i].offset) +
                            ") is after the end of the file; the tile is left out"});
    }
  }
}

/// One for each place that has bytes of its own.
inline void list_tiles(std::vector<Tile>& tiles, const Array<std::uint64_t>& extents) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] > 0) {
      tiles.emplace_back().index = static_cast<std::uint16_t>(i);
    }
  }
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  describe(v, document.map);
  Array<std::uint64_t> extents(kTiles, 0);
  if constexpr (V::kReads) {
    extents = tile_extents(document.map, v.region_bytes().size());
    list_tiles(document.tiles, extents);
  }
  v.blocks("tiles", document.tiles.size(), [&](std::size_t i) {
    const std::size_t index = document.tiles[i].index;
    v.context().tile_offset = document.map.tiles[index].offset;
    points(v, document.map.tiles[index].offset, document.map.tiles[index].offset);
    spans(v, document.map.tiles[index].size, document.map.tiles[index].offset);
    v.block("", document.map.tiles[index].offset, extents[index], [&] { describe(v, document.tiles[i]); });
  });
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::wdt
