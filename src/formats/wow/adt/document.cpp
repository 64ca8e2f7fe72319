#include <thaw/adt.hpp>

#include "bytes/number_text.hpp"
#include "describe/chunk_size.hpp"
#include "describe/framed.hpp"
#include "describe/inspection.hpp"
#include "describe/links.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "formats/wow/wdt/document.hpp"

#include <algorithm>

namespace thaw::adt {
namespace {

constexpr std::size_t kHead = 8;
constexpr std::size_t kNormalsPadSize = 13;
constexpr FourCC kLiquidTag{"MCLQ"};

struct Context {
  std::uint64_t names_at = 0;  ///< of the last names
};

FourCC tag_at(ByteView bytes, std::size_t at) {
  FourCC tag;
  std::memcpy(tag.bytes.data(), bytes.data() + at, tag.bytes.size());
  return backwards(tag);
}

// --- parts of a terrain chunk

template <class V>
void describe(V& /*v*/, As<V, Opaque>& /*body*/) {}
template <class V>
void describe(V& v, As<V, Heights>& body) {
  bulk_to_end(v, "heights", body.values);
}
template <class V>
void describe(V& v, As<V, Normals>& body) {
  bulk_to_end(v, "normals", body.values);
}
template <class V>
void describe(V& v, As<V, Layers>& body) {
  v.records("", body.items);
}
template <class V>
void describe(V& v, As<V, References>& body) {
  bulk_to_end(v, "references", body.values);
}
template <class V>
void describe(V& v, As<V, Texels>& body) {
  bulk_to_end(v, "texels", body.bytes);
}
template <class V>
void describe(V& v, As<V, Liquids>& body) {
  v.records("", body.items);
}
template <class V>
void describe(V& v, As<V, Colors>& body) {
  bulk_to_end(v, "colors", body.values);
}

using PartBody = decltype(Part::body);

/// The body that goes with a tag; Opaque for those that are not described.
PartBody part_body(FourCC tag) {
  struct Kind {
    FourCC tag;
    PartBody (*make)();
  };
  constexpr std::array kKinds = {
      Kind{FourCC{"MCVT"}, [] { return PartBody(Heights{}); }},
      Kind{FourCC{"MCNR"}, [] { return PartBody(Normals{}); }},
      Kind{FourCC{"MCLY"}, [] { return PartBody(Layers{}); }},
      Kind{FourCC{"MCRF"}, [] { return PartBody(References{}); }},
      Kind{FourCC{"MCSH"}, [] { return PartBody(Texels{}); }},
      Kind{FourCC{"MCAL"}, [] { return PartBody(Texels{}); }},
      Kind{FourCC{"MCLQ"}, [] { return PartBody(Liquids{}); }},
      Kind{FourCC{"MCCV"}, [] { return PartBody(Colors{}); }},
  };
  for (const auto& kind : kKinds) {
    if (kind.tag == tag) {
      return kind.make();
    }
  }
  return Opaque{};
}

template <class V>
void describe(V& v, As<V, ChunkHeader>& header) {
  v.field("flags", header.flags);
  v.field("x", header.x);
  v.field("y", header.y);
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
  v.field("areaId", header.area_id);
  v.field("mapObjectReferenceCount", header.map_object_reference_count);
  v.field("holes", header.holes);
  v.field("holesPad", header.holes_pad);
  v.field("predominantLayers", header.predominant_layers);
  v.field("noEffectDoodads", header.no_effect_doodads);
  v.field("soundEmittersOffset", header.sound_emitters_offset);
  v.field("soundEmitterCount", header.sound_emitter_count);
  v.field("liquidOffset", header.liquid_offset);
  v.field("liquidSize", header.liquid_size);
  v.field("position", header.position);
  v.field("colorsOffset", header.colors_offset);
  v.field("lightsOffset", header.lights_offset);
  v.field("pad", header.pad);
}

/// Bytes after the stated size of normals: they are there if no chunk begins at once.
std::size_t normals_pad(ByteView after) {
  const bool chunk =
      after.size() >= 4 && tag_at(after, 0).bytes[0] == 'M' && tag_at(after, 0).bytes[1] == 'C';
  return chunk ? 0 : std::min(kNormalsPadSize, after.size());
}

template <class V>
void describe_body(V& v, As<V, PartBody>& body) {
  std::visit([&](auto& value) { describe(v, value); }, body);
}

/// What the header of a terrain chunk says of the content of a part; none where it says nothing.
std::optional<std::uint32_t> size_in_header(const ChunkHeader& header, FourCC tag) {
  const auto without_head = [](std::uint32_t size) {
    return size > kHead ? std::optional(size - static_cast<std::uint32_t>(kHead)) : std::nullopt;
  };
  return tag == FourCC{"MCAL"}                             ? without_head(header.alpha_size)
         : tag == kLiquidTag                               ? without_head(header.liquid_size)
         : tag == FourCC{"MCSH"} && header.shadow_size > 0 ? std::optional(header.shadow_size)
                                                           : std::nullopt;
}

/// Whether a part of this size is followed by another, or by nothing.
bool leads_on(ByteView rest, std::uint64_t size) {
  return size == rest.size() ||
         (size < rest.size() && normals_pad(rest.subspan(static_cast<std::size_t>(size))) == 0);
}

/// Of the two places that state the size of a part the one that leads on; its own head's where both do, or
/// neither.
template <class V>
std::size_t better_size(V& v, const ChunkHeader& header, FourCC tag, std::uint32_t stated) {
  const auto other = size_in_header(header, tag);
  // The client's own files have 0 in the head of liquids.
  const bool usual = tag == kLiquidTag && stated == 0;
  if (!other || *other == stated || usual) {
    return usual ? other.value_or(stated) : stated;
  }
  const bool takes_other = !leads_on(v.rest(), stated) && leads_on(v.rest(), *other);
  v.note(takes_other ? codes::kSizeInvalid.as(Severity::severe) : codes::kSizeInvalid.as(Severity::warning),
         "",
         tag.text() + " states " + std::to_string(stated) + " bytes, the header of its MCNK " +
             std::to_string(*other) + "; " + (takes_other ? "the header's" : "the chunk's") + " is used");
  return takes_other ? *other : stated;
}

template <class V>
void read_part(V& v, const ChunkHeader& header, Part& part) {
  FourCC stored;
  std::uint32_t stated = 0;
  v.field("tag", stored.bytes);
  v.field("size", stated);
  part.tag = backwards(stored);
  const std::size_t better = better_size(v, header, part.tag, stated);
  const std::size_t size = std::min(better, v.left());
  part.stated_size = size != stated ? std::optional(stated) : std::nullopt;
  if (better > v.left()) {
    v.note(codes::kChunkOverrun, "", part.tag.text() + " ends after the end of its chunk; read to that end");
  }
  part.body = part_body(part.tag);
  if (std::holds_alternative<Opaque>(part.body)) {
    v.bulk("raw", part.remainder.bytes, size);
    part.remainder.state = Remainder::State::replaces_fields;
    return;
  }
  v.payload(part.remainder, part.tag, size, [&] { describe_body<V>(v, part.body); });
  if (auto* normals = std::get_if<Normals>(&part.body)) {
    v.bulk("pad", normals->pad, normals_pad(v.rest()));
  }
}

/// Whoever writes or shows.
template <class V>
void describe_part(V& v, const Part& part) {
  v.field("tag", backwards(part.tag).bytes);
  const std::uint64_t size_at = v.here();
  v.size_word("size", part.stated_size);
  const std::uint64_t start = v.here();
  if (std::holds_alternative<Opaque>(part.body)) {
    v.preserved("bytes", part.remainder.bytes);
  } else {
    v.payload(part.remainder, part.tag, 0, [&] { describe_body<V>(v, part.body); });
  }
  if (!part.stated_size) {
    v.patch(size_at, v.here() - start);
  }
  if (const auto* normals = std::get_if<Normals>(&part.body)) {
    v.bulk("pad", normals->pad, normals->pad.size());
  }
}

/// Chunks in a run of them, so that a list need not grow.
std::size_t count_chunks(ByteView bytes) {
  std::size_t count = 0;
  for (std::size_t at = 0; bytes.size() - at >= kHead; ++count) {
    at += kHead;
    at += std::min<std::size_t>(load_plain<std::uint32_t>(bytes.data() + at - 4), bytes.size() - at);
  }
  return count;
}

/// Offsets count from the chunk's head, sizes are with the parts' heads.
template <class V>
void link_parts(V& v, const ChunkHeader& header) {
  constexpr std::uint64_t kHeadSize = 8;
  const std::uint64_t chunk = v.here() - kHeadSize;
  const auto part = [&](const std::uint32_t& offset) { points(v, offset, chunk + offset); };
  part(header.heights_offset);
  part(header.normals_offset);
  part(header.layers_offset);
  part(header.references_offset);
  part(header.alpha_offset);
  part(header.shadow_offset);
  part(header.sound_emitters_offset);
  part(header.liquid_offset);
  part(header.colors_offset);
  part(header.lights_offset);
  spans(v, header.alpha_size, chunk + header.alpha_offset);
  spans(v, header.liquid_size, chunk + header.liquid_offset);
}

template <class V>
void describe(V& v, As<V, TerrainChunk>& chunk) {
  link_parts(v, chunk.header);
  v.object("header", chunk.header);
  if constexpr (V::kReads) {
    chunk.parts.reserve(count_chunks(v.rest()));
    while (v.left() >= kHead && !v.failed()) {
      read_part(v, chunk.header, chunk.parts.emplace_back());
    }
  } else {
    v.list_of("chunks", chunk.parts, [&](const Part& part) { describe_part(v, part); });
  }
}

// --- a tile

template <class V>
void describe(V& v, As<V, Version>& body) {
  v.field("version", body.value);
}
template <class V>
void describe(V& v, As<V, TileHeader>& header) {
  const std::uint64_t origin = v.here();
  const auto chunk = [&](const std::uint32_t& offset) { points(v, offset, origin + offset); };
  chunk(header.chunk_table_offset);
  chunk(header.textures_offset);
  chunk(header.models_offset);
  chunk(header.model_offsets_offset);
  chunk(header.map_objects_offset);
  chunk(header.map_object_offsets_offset);
  chunk(header.doodads_offset);
  chunk(header.placements_offset);
  chunk(header.flight_bounds_offset);
  chunk(header.water_offset);
  chunk(header.texture_flags_offset);
  v.field("flags", header.flags);
  v.field("chunkTableOffset", header.chunk_table_offset);
  v.field("texturesOffset", header.textures_offset);
  v.field("modelsOffset", header.models_offset);
  v.field("modelOffsetsOffset", header.model_offsets_offset);
  v.field("mapObjectsOffset", header.map_objects_offset);
  v.field("mapObjectOffsetsOffset", header.map_object_offsets_offset);
  v.field("doodadsOffset", header.doodads_offset);
  v.field("placementsOffset", header.placements_offset);
  v.field("flightBoundsOffset", header.flight_bounds_offset);
  v.field("waterOffset", header.water_offset);
  v.field("textureFlagsOffset", header.texture_flags_offset);
  v.field("unused", header.unused);
}
template <class V>
void describe(V& v, As<V, ChunkTable>& body) {
  bulk_to_end(v, "entries", body.entries);
  if constexpr (!V::kReads) {
    for (const auto& entry : body.entries) {
      points(v, entry.offset, entry.offset);
      spans(v, entry.size, entry.offset);
    }
  }
}
template <class V>
void describe(V& v, As<V, Names>& body) {
  if constexpr (!V::kReads) {
    v.context().names_at = v.here();
  }
  strings_to_end<V>(v, "names", body.table);
}
/// They count from the start of the names in front.
template <class V>
void describe(V& v, As<V, NameOffsets>& body) {
  bulk_to_end(v, "offsets", body.values);
  if constexpr (!V::kReads) {
    for (const auto& offset : body.values) {
      points(v, offset, v.context().names_at + offset);
    }
  }
}
template <class V>
void describe(V& v, As<V, Doodads>& body) {
  v.records("", body.items);
}
template <class V>
void describe(V& v, As<V, MapObjects>& body) {
  v.records("", body.items);
}
template <class V>
void describe(V& v, As<V, FlightBounds>& body) {
  v.field("maximum", body.maximum);
  v.field("minimum", body.minimum);
}

using Body = decltype(Chunk::body);

struct ChunkKind {
  FourCC tag;
  std::size_t least;  ///< bytes of content, below which it is not worth a box
  Body (*make)();
};
constexpr std::array kChunkKinds = {
    ChunkKind{FourCC{"MVER"}, 0, [] { return Body(Version{}); }},
    ChunkKind{FourCC{"MHDR"}, 64, [] { return Body(Boxed<TileHeader>()); }},
    ChunkKind{FourCC{"MCIN"}, 0, [] { return Body(ChunkTable{}); }},
    ChunkKind{FourCC{"MTEX"}, 0, [] { return Body(Names{}); }},
    ChunkKind{FourCC{"MMDX"}, 0, [] { return Body(Names{}); }},
    ChunkKind{FourCC{"MMID"}, 0, [] { return Body(NameOffsets{}); }},
    ChunkKind{FourCC{"MWMO"}, 0, [] { return Body(Names{}); }},
    ChunkKind{FourCC{"MWID"}, 0, [] { return Body(NameOffsets{}); }},
    ChunkKind{FourCC{"MDDF"}, 0, [] { return Body(Doodads{}); }},
    ChunkKind{FourCC{"MODF"}, 0, [] { return Body(MapObjects{}); }},
    ChunkKind{FourCC{"MCNK"}, 128, [] { return Body(Boxed<TerrainChunk>()); }},
    ChunkKind{FourCC{"MFBO"}, 36, [] { return Body(Boxed<FlightBounds>()); }},
};

Body chunk_body(FourCC tag, std::size_t size) {
  for (const auto& kind : kChunkKinds) {
    if (kind.tag == tag && size >= kind.least) {
      return kind.make();
    }
  }
  return Opaque{};
}

template <class V, class B>
void describe_chunk_body(V& v, B& body) {
  if constexpr (requires { body.operator->(); }) {
    describe(v, *body);
  } else {
    describe(v, body);
  }
}

void read_chunk(Reader<Context>& reader, Chunk& chunk, unsigned& searches) {
  FourCC stored;
  std::uint32_t stated = 0;
  reader.field("tag", stored.bytes);
  reader.field("size", stated);
  chunk.tag = backwards(stored);
  const auto is_part = [](FourCC tag) {
    return tag.bytes[3] == 'M' && tag.bytes[2] == 'C' && backwards(tag) != FourCC{"MCNK"} &&
           backwards(tag) != FourCC{"MCIN"};
  };
  const std::size_t size = better_chunk_size(
      {reader.rest(), stated, false, false}, kHead, searches,
      [](FourCC tag) {
        return std::any_of(kChunkKinds.begin(), kChunkKinds.end(),
                           [&](const ChunkKind& kind) { return backwards(kind.tag) == tag; });
      },
      is_part);
  if (stated != size) {
    chunk.stated_size = stated;
    const bool overruns = stated > reader.left() && size == reader.left();
    reader.note(overruns ? codes::kChunkOverrun : codes::kSizeInvalid.as(Severity::severe), "",
                overruns ? "chunk " + chunk.tag.text() + " states a size of " + std::to_string(stated) +
                               " bytes, but " + std::to_string(size) + " remain; read to the end"
                         : size_problem(chunk.tag, stated, size, reader.left()));
  }
  chunk.body = chunk_body(chunk.tag, size);
  if (std::holds_alternative<Opaque>(chunk.body)) {
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.state = Remainder::State::replaces_fields;
    return;
  }
  reader.payload(chunk.remainder, chunk.tag, size,
                 [&] { std::visit([&](auto& body) { describe_chunk_body(reader, body); }, chunk.body); });
}

template <class V>
void describe_chunk(V& v, const Chunk& chunk) {
  v.field("tag", backwards(chunk.tag).bytes);
  const std::uint64_t size_at = v.here();
  v.size_word("size", chunk.stated_size);
  const std::uint64_t start = v.here();
  if (std::holds_alternative<Opaque>(chunk.body)) {
    v.preserved("bytes", chunk.remainder.bytes);
  } else {
    v.payload(chunk.remainder, chunk.tag, 0,
              [&] { std::visit([&](const auto& body) { describe_chunk_body(v, body); }, chunk.body); });
  }
  if (!chunk.stated_size) {
    v.patch(size_at, v.here() - start);
  }
}

template <class V>
void describe_document(V& v, const Document& document) {
  v.list_of("chunks", document.chunks, [&](const Chunk& chunk) { describe_chunk(v, chunk); });
  v.bulk("tail", document.tail, document.tail.size());
}

/// Chunks that the tables of a tile lead to, and that are not in the file any more.
void check_places(Reader<Context>& reader, const Document& document, std::uint64_t file_size) {
  constexpr std::uint64_t kOrigin = 20;  // offsets in MHDR count from its content
  const auto is_lost = [&](std::uint64_t at) { return at + kHead > file_size; };
  const auto report = [&](const char* path, std::size_t lost) {
    if (lost > 0) {
      reader.note(codes::kOffsetInvalid, path,
                  counted(lost, "chunk offset") + " after the end of the file; the chunks are missing");
    }
  };
  for (const auto& chunk : document.chunks) {
    if (const auto* header = std::get_if<Boxed<TileHeader>>(&chunk.body)) {
      const TileHeader& h = **header;
      const std::array offsets = {h.chunk_table_offset,   h.textures_offset,     h.models_offset,
                                  h.model_offsets_offset, h.map_objects_offset,  h.map_object_offsets_offset,
                                  h.doodads_offset,       h.placements_offset,   h.flight_bounds_offset,
                                  h.water_offset,         h.texture_flags_offset};
      report("MHDR", static_cast<std::size_t>(std::count_if(offsets.begin(), offsets.end(), [&](auto offset) {
               return offset != 0 && is_lost(kOrigin + offset);
             })));
    } else if (const auto* table = std::get_if<ChunkTable>(&chunk.body)) {
      report("MCIN", static_cast<std::size_t>(std::count_if(
                         table->entries.begin(), table->entries.end(),
                         [&](const auto& entry) { return entry.offset != 0 && is_lost(entry.offset); })));
    }
  }
}

// --- a map

template <class V>
void describe(V& v, As<V, Map>& map) {
  framed<V>(v, FourCC{"MVER"}, map.version_frame, [&] { v.field("version", map.version); });
  framed<V>(v, FourCC{"MPHD"}, map.header_frame, [&] { v.field("header", map.header); });
  framed<V>(v, FourCC{"MAIN"}, map.tiles_frame, [&] { bulk_to_end(v, "tiles", map.tiles); });
  framed<V>(v, FourCC{"MWMO"}, map.map_object_names_frame, Presence::optional,
            [&] { strings_to_end<V>(v, "names", map.map_object_names); });
  framed<V>(v, FourCC{"MODF"}, map.map_objects_frame, Presence::optional,
            [&] { v.records("", map.map_objects); });
  if constexpr (V::kReads) {
    if (v.left() < kHead && begins_like_tag(v.rest())) {
      v.note(codes::kTruncated, "tail", counted(v.left(), "byte") + ", too few for a chunk header");
    }
  }
  bulk_to_end(v, "tail", map.tail);
}

bool is_chunk(ByteView bytes, std::size_t at, FourCC tag, std::uint32_t size) {
  return bytes.size() >= at + kHead && tag_at(bytes, at) == tag &&
         load_plain<std::uint32_t>(bytes.data() + at + 4) == size;
}

}  // namespace

std::vector<const TerrainChunk*> Document::terrain() const {
  std::vector<const TerrainChunk*> list;
  for (const auto& chunk : chunks) {
    const auto* boxed = std::get_if<Boxed<TerrainChunk>>(&chunk.body);
    if (boxed != nullptr && !chunk.remainder.replaces_fields()) {
      list.push_back(&**boxed);
    }
  }
  return list;
}

bool is_adt(ByteView bytes) {
  constexpr std::size_t kHeaderAt = 12;
  constexpr std::size_t kTableAt = kHeaderAt + kHead + 64;
  return is_chunk(bytes, 0, FourCC{"MVER"}, 4) && is_chunk(bytes, kHeaderAt, FourCC{"MHDR"}, 64) &&
         bytes.size() >= kTableAt + kHead && tag_at(bytes, kTableAt) == FourCC{"MCIN"};
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(bytes, Context{}, options, diagnostics,
                                 Recognition{is_adt(bytes), "a tile must begin with MVER, MHDR and MCIN"},
                                 [&](auto& reader, Document& document) {
                                   document.chunks.reserve(count_chunks(bytes));
                                   unsigned searches = 0;
                                   while (reader.left() >= kHead && !reader.failed()) {
                                     read_chunk(reader, document.chunks.emplace_back(), searches);
                                   }
                                   reader.tail("tail", document.tail, kHead);
                                   if (!reader.failed()) {
                                     check_places(reader, document, bytes.size());
                                   }
                                 });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe_document(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  v.list_of("chunks", document.chunks, [&](const Chunk& chunk) { describe_chunk(v, chunk); });
  v.raw("tail", document.tail);
}

bool is_map(ByteView bytes) {
  constexpr std::size_t kHeaderAt = 12;
  return is_chunk(bytes, 0, FourCC{"MVER"}, 4) && is_chunk(bytes, kHeaderAt, FourCC{"MPHD"}, 32);
}

Result<Map> read_map(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Map>(bytes, Context{}, options, diagnostics,
                            Recognition{is_map(bytes), "a map must begin with MVER and an MPHD of 32 bytes"},
                            [&](auto& reader, Map& map) { describe(reader, map); });
}

Bytes write(const Map& map) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, map); });
}

void inspect(const Map& map, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, map);
}

// --- new places

namespace {

std::uint32_t word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Bytes of a part, with its head.
std::uint64_t size_of(const Part& part) {
  MeasureSink sink;
  Writer<Context, MeasureSink> writer(sink, {});
  describe_part(writer, part);
  return sink.reached();
}

void count(const Part& part, ChunkHeader& header) {
  if (const auto* layers = std::get_if<Layers>(&part.body)) {
    header.layer_count = word(layers->items.size());
  } else if (const auto* references = std::get_if<References>(&part.body)) {
    const auto total = word(references->values.size());
    header.doodad_reference_count = std::min(header.doodad_reference_count, total);
    header.map_object_reference_count = total - header.doodad_reference_count;
  }
}

/// Bytes of the whole chunk with its head.
std::uint64_t lay_out(TerrainChunk& chunk) {
  ChunkHeader& header = chunk.header;
  struct OffsetField {
    FourCC tag;
    std::uint32_t ChunkHeader::* offset;
    std::uint32_t ChunkHeader::* size;
    std::uint32_t head;  ///< bytes of the head that the size includes
  };
  constexpr std::array kOffsetFields = {
      OffsetField{FourCC{"MCVT"}, &ChunkHeader::heights_offset, nullptr, 0},
      OffsetField{FourCC{"MCNR"}, &ChunkHeader::normals_offset, nullptr, 0},
      OffsetField{FourCC{"MCLY"}, &ChunkHeader::layers_offset, nullptr, 0},
      OffsetField{FourCC{"MCRF"}, &ChunkHeader::references_offset, nullptr, 0},
      OffsetField{FourCC{"MCSH"}, &ChunkHeader::shadow_offset, &ChunkHeader::shadow_size, 0},
      OffsetField{FourCC{"MCAL"}, &ChunkHeader::alpha_offset, &ChunkHeader::alpha_size, kHead},
      OffsetField{FourCC{"MCLQ"}, &ChunkHeader::liquid_offset, &ChunkHeader::liquid_size, kHead},
      OffsetField{FourCC{"MCCV"}, &ChunkHeader::colors_offset, nullptr, 0},
  };
  for (const auto& place : kOffsetFields) {
    header.*place.offset = 0;
    if (place.size != nullptr) {
      header.*place.size = place.head;
    }
  }
  header.sound_emitters_offset = 0;
  std::uint64_t at = kHead + 128;
  for (const auto& part : chunk.parts) {
    const std::uint64_t size = size_of(part);
    count(part, header);
    for (const auto& place : kOffsetFields) {
      if (place.tag == part.tag) {
        header.*place.offset = word(at);
        if (place.size != nullptr) {
          header.*place.size = word(size - kHead + place.head);
        }
      }
    }
    header.sound_emitters_offset = part.tag == FourCC{"MCSE"} ? word(at) : header.sound_emitters_offset;
    at += size;
  }
  return at;
}

}  // namespace

void lay_out(Document& document) {
  constexpr std::uint64_t kHeaderContent = 12 + kHead;
  TileHeader header;
  ChunkTable table;
  Boxed<TileHeader>* stored_header = nullptr;
  ChunkTable* stored_table = nullptr;
  struct OffsetField {
    FourCC tag;
    std::uint32_t TileHeader::* offset;
  };
  constexpr std::array kOffsetFields = {
      OffsetField{FourCC{"MCIN"}, &TileHeader::chunk_table_offset},
      OffsetField{FourCC{"MTEX"}, &TileHeader::textures_offset},
      OffsetField{FourCC{"MMDX"}, &TileHeader::models_offset},
      OffsetField{FourCC{"MMID"}, &TileHeader::model_offsets_offset},
      OffsetField{FourCC{"MWMO"}, &TileHeader::map_objects_offset},
      OffsetField{FourCC{"MWID"}, &TileHeader::map_object_offsets_offset},
      OffsetField{FourCC{"MDDF"}, &TileHeader::doodads_offset},
      OffsetField{FourCC{"MODF"}, &TileHeader::placements_offset},
      OffsetField{FourCC{"MFBO"}, &TileHeader::flight_bounds_offset},
      OffsetField{FourCC{"MH2O"}, &TileHeader::water_offset},
      OffsetField{FourCC{"MTXF"}, &TileHeader::texture_flags_offset},
  };
  std::uint64_t at = 0;
  for (auto& chunk : document.chunks) {
    if (auto* terrain = std::get_if<Boxed<TerrainChunk>>(&chunk.body)) {
      const std::uint64_t size = lay_out(**terrain);
      const std::size_t slot = std::size_t{(*terrain)->header.y} * wdt::kChunksPerSide + (*terrain)->header.x;
      if (slot < wdt::kChunks) {
        table.entries.resize(wdt::kChunks, wdt::ChunkEntry{});
        table.entries[slot] = {word(at), word(size), 0, 0};
      }
    } else if (auto* found = std::get_if<ChunkTable>(&chunk.body)) {
      stored_table = found;
      found->entries.assign(wdt::kChunks, wdt::ChunkEntry{});
    } else if (auto* boxed = std::get_if<Boxed<TileHeader>>(&chunk.body)) {
      stored_header = boxed;
    }
    for (const auto& place : kOffsetFields) {
      if (place.tag == chunk.tag) {
        header.*place.offset = word(at - kHeaderContent);
      }
    }
    MeasureSink sink;
    Writer<Context, MeasureSink> writer(sink, {});
    describe_chunk(writer, chunk);
    at += sink.reached();
  }
  if (stored_table != nullptr && !table.entries.empty()) {
    stored_table->entries = table.entries;
  }
  if (stored_header != nullptr) {
    header.flags = (*stored_header)->flags;
    **stored_header = header;
  }
}

}  // namespace thaw::adt
