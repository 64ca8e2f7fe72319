#include "formats/wow/wdt/document.hpp"

#include "formats/wow/wdt/map_writer.hpp"

#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wdt {
namespace {

constexpr std::uint64_t kHead = 8;

std::uint32_t word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Bytes that something takes when it is written.
template <class T>
std::uint64_t measure(const T& value) {
  MeasureSink sink;
  Writer<Context, MeasureSink> writer(sink, Context{0, true});
  describe(writer, value);
  return sink.reached();
}

/// Names, and one more if there are any: what MPHD states of a table (wdt.md#names).
std::uint32_t stated_count(const Array<char>& table) {
  return table.empty() ? 0 : word(split_names(table).size() + 1);
}

}  // namespace

// --- names
// ------------------------------------------------------------------------------------------------------

std::vector<std::string_view> split_names(const Array<char>& table) {
  std::vector<std::string_view> names;
  const char* end = table.data() + table.size();
  const char* from = std::find_if(table.data(), end, [](char byte) { return byte != '\0'; });
  std::size_t last = 0;  // names up to the last that is not empty
  while (from != end) {
    const char* nul = std::find(from, end, '\0');
    names.emplace_back(from, static_cast<std::size_t>(nul - from));
    last = names.back().empty() ? last : names.size();
    from = nul == end ? end : nul + 1;
  }
  names.resize(last);
  return names;
}

Array<char> join_names(const std::vector<std::string_view>& names) {
  Array<char> table;
  for (const auto name : names) {
    table.insert(table.end(), name.begin(), name.end());
    table.push_back('\0');
  }
  return table;
}

// --- looking things up
// ------------------------------------------------------------------------------------------

const TileEntry* Map::entry(std::size_t x, std::size_t y) const {
  const std::size_t index = y * kTilesPerSide + x;
  const bool there = x < kTilesPerSide && index < tiles.size() && tiles[index].exists();
  return there ? &tiles[index] : nullptr;
}

namespace {

template <class List, class Key>
const typename List::value_type* find_sorted(const List& list, std::size_t key, Key&& key_of) {
  const auto found = std::lower_bound(list.begin(), list.end(), key,
                                      [&](const auto& item, std::size_t k) { return key_of(item) < k; });
  return found != list.end() && key_of(*found) == key ? &*found : nullptr;
}

}  // namespace

const Chunk* Tile::chunk(std::size_t chunk_x, std::size_t chunk_y) const {
  return chunk_x < kChunksPerSide ? find_sorted(
                                        chunks, chunk_y * kChunksPerSide + chunk_x,
                                        [](const Chunk& chunk) { return std::size_t{chunk.slot}; })
                                  : nullptr;
}

const Tile* Document::tile(std::size_t x, std::size_t y) const {
  return x < kTilesPerSide
             ? find_sorted(
                   tiles, y * kTilesPerSide + x, [](const Tile& tile) { return std::size_t{tile.index}; })
             : nullptr;
}

std::string_view liquid_name(LiquidKind kind) {
  constexpr std::array<std::string_view, kLiquidKinds> kNames = {"river", "ocean", "magma", "slime"};
  return kNames.at(static_cast<std::size_t>(kind));
}

const Liquid* Chunk::liquid(LiquidKind kind) const {
  const std::uint32_t flag = 4U << static_cast<unsigned>(kind);
  const std::size_t before = liquid_count(header.flags & (flag - 1));
  return (header.flags & flag) != 0 && before < liquids.size() ? &liquids[before] : nullptr;
}

std::span<const std::uint32_t> Chunk::doodad_references() const {
  return std::span(references).first(std::min<std::size_t>(header.doodad_reference_count, references.size()));
}

std::span<const std::uint32_t> Chunk::map_object_references() const {
  const auto after = std::span(references).subspan(doodad_references().size());
  return after.first(std::min<std::size_t>(header.map_object_reference_count, after.size()));
}

double north_of(std::size_t tile_y, std::size_t chunk_y, double row) {
  return kMiddle - static_cast<double>(tile_y) * kTileSize - static_cast<double>(chunk_y) * kChunkSize -
         row * kCellSize;
}

double west_of(std::size_t tile_x, std::size_t chunk_x, double column) {
  return north_of(tile_x, chunk_x, column);
}

float radius_of(const Chunk& chunk) {
  constexpr double kHalfDiagonal = 23.570227;
  const auto [lowest, highest] = std::minmax_element(chunk.heights.begin(), chunk.heights.end());
  const double half = (double{*highest} - double{*lowest}) / 2;
  return static_cast<float>(std::sqrt(kHalfDiagonal * kHalfDiagonal + half * half));
}

// --- the file
// ---------------------------------------------------------------------------------------------------

Array<std::uint64_t> tile_extents(const Map& map, std::uint64_t file_size) {
  Array<std::uint64_t> extents(kTiles, 0);
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t i = 0; i < map.tiles.size(); ++i) {
    if (map.tiles[i].exists() && map.tiles[i].offset < file_size) {
      places.emplace_back(map.tiles[i].offset, i);
    }
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Of several tiles in one place the first is read.
    std::size_t next = i + 1;
    while (next < places.size() && places[next].first == places[i].first) {
      ++next;
    }
    const std::uint64_t end = next < places.size() ? places[next].first : file_size;
    extents[places[i].second] = end - places[i].first;
    i = next - 1;
  }
  return extents;
}

bool is_wdt(ByteView bytes) {
  constexpr std::size_t kSecond = 12;
  constexpr std::uint32_t kHeaderSize = 128;
  const auto has = [&](FourCC tag, std::size_t at) {
    return std::memcmp(bytes.data() + at, backwards(tag).bytes.data(), 4) == 0;
  };
  return bytes.size() >= kSecond + kHead && has(FourCC{"MVER"}, 0) && has(FourCC{"MPHD"}, kSecond) &&
         load_plain<std::uint32_t>(bytes.data() + kSecond + 4) == kHeaderSize;
}

Recognition recognition(ByteView bytes) {
  return {is_wdt(bytes), "a WoW Alpha map must begin with MVER and an MPHD of 128 bytes"};
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(
      bytes, Context{}, options, diagnostics, recognition(bytes), [&](auto& reader, Document& document) {
        describe(reader, document);
        for_each_lost_tile(document.map, bytes.size(), [&](const Diagnostic& lost) {
          reader.note(lost.code, lost.path.c_str(), lost.message);
        });
        check_last_gap(reader, document.gaps);
      });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, document);
}

// --- new places
// -------------------------------------------------------------------------------------------------

namespace {

void lay_out(Chunk& chunk) {
  ChunkHeader& header = chunk.header;
  chunk.frame = {};
  chunk.layers_frame = chunk.references_frame = {};
  header.layer_count = word(chunk.layers.size());
  header.doodad_reference_count = std::min(header.doodad_reference_count, word(chunk.references.size()));
  header.map_object_reference_count = word(chunk.references.size()) - header.doodad_reference_count;
  header.shadow_size = word(chunk.shadow.size());
  header.alpha_size = word(chunk.alpha.size());
  header.sound_emitter_count = word(chunk.emitters.size());
  header.heights_offset = 0;
  header.normals_offset = word(sizeof chunk.heights);
  header.layers_offset = header.normals_offset + word(sizeof chunk.normals + sizeof chunk.normals_pad);
  header.references_offset = header.layers_offset + word(kHead + chunk.layers.size() * Layer::kRecordSize);
  header.shadow_offset = header.references_offset + word(kHead + chunk.references.size() * 4);
  header.alpha_offset = header.shadow_offset + header.shadow_size;
  header.liquid_offset = header.alpha_offset + header.alpha_size;
  header.sound_emitters_offset = header.liquid_offset + word(chunk.liquids.size() * Liquid::kRecordSize);
}

/// Gives the tile the place `at`; returns its end.
std::uint64_t lay_out(Tile& tile, std::uint64_t at, TileEntry& entry) {
  tile.gaps.clear();
  for (ChunkFrame* frame : {&tile.header_frame, &tile.chunk_table_frame, &tile.textures_frame,
                            &tile.doodads_frame, &tile.map_objects_frame}) {
    *frame = {};
  }
  tile.chunk_table.assign(kChunks, ChunkEntry{});
  const auto with_head = [](std::uint64_t size) { return word(size == 0 ? 0 : kHead + size); };
  TileHeader& header = tile.header;
  header.chunk_table_offset = 64;
  header.textures_offset = word(header.chunk_table_offset + kHead + kChunks * sizeof(ChunkEntry));
  header.textures_size = word(kHead + tile.textures.size());
  header.doodads_offset = header.textures_offset + header.textures_size;
  header.doodads_size = with_head(tile.doodads.size() * Doodad::kRecordSize);
  header.map_objects_offset = word(header.doodads_offset + kHead + tile.doodads.size() * Doodad::kRecordSize);
  header.map_objects_size = with_head(tile.map_objects.size() * MapObject::kRecordSize);
  entry = {word(at), word(measure(tile)), 0, 0};
  at += entry.size;
  for (Chunk& chunk : tile.chunks) {
    lay_out(chunk);
    const std::uint64_t size = measure(chunk);
    tile.chunk_table[chunk.slot] = {word(at), word(size), 0, 0};
    at += size;
  }
  return at;
}

}  // namespace

void lay_out(Map& map) {
  for (ChunkFrame* frame : {&map.version_frame, &map.header_frame, &map.tiles_frame, &map.doodad_names_frame,
                            &map.map_object_names_frame, &map.map_objects_frame}) {
    *frame = {};
  }
  map.map_objects_frame.present = !map.map_objects.empty();
  map.tiles.assign(kTiles, TileEntry{});
  map.header.doodad_name_count = stated_count(map.doodad_names);
  map.header.map_object_name_count = stated_count(map.map_object_names);
  map.header.doodad_names_offset = word(3 * kHead + 4 + 128 + kTiles * sizeof(TileEntry));
  map.header.map_object_names_offset = word(map.header.doodad_names_offset + kHead + map.doodad_names.size());
}

std::uint64_t size_of(const Chunk& chunk) {
  Chunk laid_out = chunk;
  lay_out(laid_out);
  return measure(laid_out);
}

Bytes write(const Map& map) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, map); });
}

Bytes write_at(Tile& tile, std::uint64_t at, TileEntry& entry) {
  lay_out(tile, at, entry);
  return write_document(Context{at, false}, [&](auto& writer) { describe(writer, tile); });
}

void lay_out(Document& document) {
  Map& map = document.map;
  document.gaps.clear();
  lay_out(map);
  std::uint64_t at = measure(map);
  for (Tile& tile : document.tiles) {
    at = lay_out(tile, at, map.tiles[tile.index]);
  }
}

}  // namespace thaw::wdt
